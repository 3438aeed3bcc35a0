import type { Runtime } from '../runtime/runtime.ts';
import type { ServerTelemetry } from '../telemetry/server-telemetry.ts';
import type { UsersOptions } from './users/users-options.ts';

/** How a server is started. */
export interface ServeOptions {
  /** For whom: one person with the token of the server and this runtime, or users with one of their own each. */
  readonly runtime: Runtime | UsersOptions;
  /** Everything, or only what host applications use as helpers; turns go on by themselves with everything alone. */
  readonly offers: 'everything' | 'sidecar';
  readonly dataFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly host: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly allowHosts: readonly string[];
  /** Folders that sessions may work in; of users administrators alone. */
  readonly roots: readonly string[];
  /** Turns that go on by themselves after a crash, at the same time. */
  readonly workers: number;
  /** Tells of the server at `/metrics`, which is not there without it. The runtimes have to be made with its `observe`. */
  readonly telemetry?: ServerTelemetry;
  /** Is told of what goes wrong beside requests, one sentence each. */
  readonly log: (line: string) => void;
}
