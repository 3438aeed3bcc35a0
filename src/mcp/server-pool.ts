import type { ConnectParts } from './connect.ts';
import type { ServerDefinition } from './definition.ts';
import type { SupervisedServer } from './supervised-server.ts';
import { superviseServer } from './supervisor.ts';

/** A server that a folder wants. */
export interface WantedServer {
  readonly shortName: string;
  readonly definition: ServerDefinition;
}

/** The servers of a process. Sessions that want the same definition share one. */
export interface ServerPool {
  /** The servers of a session's folder; those that it wanted before and nobody wants any more are ended. A server is told of the workspaces of all that want it. */
  of(folder: string, wanted: readonly WantedServer[], around: { readonly allow: readonly string[]; readonly workspace: readonly string[] }): readonly SupervisedServer[];
  /** Ends all. */
  close(): Promise<void>;
}

/** Makes an empty pool. */
export function serverPool(parts: Pick<ConnectParts, 'host' | 'clock' | 'logins'>): ServerPool {
  const servers = new Map<string, SupervisedServer>();
  const wantedBy = new Map<string, { readonly keys: ReadonlySet<string>; readonly workspace: readonly string[] }>();
  const ending = new Set<Promise<void>>();
  const dropUnwanted = (): void => {
    const wanted = new Set([...wantedBy.values()].flatMap(({ keys }) => [...keys]));
    for (const [key, server] of servers) {
      if (wanted.has(key)) continue;
      servers.delete(key);
      const end = server.close().finally(() => ending.delete(end));
      ending.add(end);
    }
  };
  const rootsOf = (key: string) => (): readonly string[] => [...new Set([...wantedBy.values()].flatMap(({ keys, workspace }) => (keys.has(key) ? workspace : [])))];
  return {
    of(folder, wanted, { allow, workspace }) {
      const keyed = wanted.map((one) => ({ ...one, key: JSON.stringify([one.shortName, one.definition, allow]) }));
      wantedBy.set(folder, { keys: new Set(keyed.map(({ key }) => key)), workspace });
      dropUnwanted();
      return keyed.map(({ key, shortName, definition }) => {
        const server = servers.get(key) ?? superviseServer({ ...parts, allow, shortName, definition, roots: rootsOf(key) });
        servers.set(key, server);
        server.tellRoots();
        return server;
      });
    },
    async close() {
      wantedBy.clear();
      dropUnwanted();
      await Promise.all(ending);
    },
  };
}
