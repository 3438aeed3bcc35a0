import type { Runtime } from '../runtime/runtime.ts';
import type { SkillWorks } from '../runtime/evaluate/skill-works.ts';
import type { TurnKeeper } from '../runtime/turn/turn-keeper.ts';

/** What a person may do: an `admin` everything, a `member` nothing that concerns others or the server. */
export type Role = 'admin' | 'member';

/** A person whom the server knows, with what is theirs alone. */
export interface Tenant {
  readonly name: string;
  readonly role: Role;
  readonly runtime: Runtime;
  readonly turns: TurnKeeper;
  readonly skillWorks: SkillWorks;
  /** Folders that their sessions may work in, real paths. */
  readonly roots: readonly string[];
  /** Never one to work in, nor what lies in it; a real path. */
  readonly dataFolder: string;
  /** Aborts when what is theirs is closed: requests that still run end. */
  readonly signal: AbortSignal;
}
