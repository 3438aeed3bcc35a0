import path from 'node:path';
import type { HostFiles } from '../../host/host.ts';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { sha256 } from '../../skills/sha256.ts';
import type { SharedFile, SharedFiles } from '../replica/shared-files.ts';

/** What a session keeps beside its log: whole texts of long outputs, contents of files before it changed them. */
export type SessionFolderKind = (typeof SESSION_FOLDERS)[number];

/** Their folders below the data folder. */
export const SESSION_FOLDERS = ['outputs', 'before'] as const;

/** Files of a session, in a folder of its own. Where workers share a database, what one has written the others can have. */
export interface SessionFolder {
  readonly path: string;
  /** @throws system errors of this machine; what the database cannot take now is sent with the next `fetch` here */
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Undefined for one that is not there. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Bytes of a file that lies here; undefined for none. */
  size(name: string): Promise<number | undefined>;
  /** Bytes of all files that lie here. */
  bytes(): Promise<number>;
  /** Brings here what other workers have written, and sends them what they lack. A database that is away is told of in the log. */
  fetch(): Promise<void>;
  /** Sends what the database lacks; resolves to how many files. @throws SkillmintError store_unavailable */
  send(): Promise<number>;
  remove(): Promise<void>;
}

/** What it takes to open one. */
export interface SessionFolderParts {
  readonly files: HostFiles;
  readonly workFolder: string;
  /** The files of a scope in the database; undefined without one. */
  readonly shared: ((scope: string) => SharedFiles) | undefined;
  /** Is told, one sentence each, of what other workers cannot have. */
  readonly log: (line: string) => void;
}

/** Files lie here before others can have them: a file that is larger stays on this machine. */
const MOST_SHARED_BYTES = 64 * 1024 * 1024;
const MODES = { mode: 0o600, folderMode: 0o700 };
/** A name comes from the database, too. */
const NAME = /^[\w-]{1,120}(\.txt)?$/;

/** Where the files of a session lie. */
export function sessionFolderPath(workFolder: string, kind: SessionFolderKind, sessionId: string): string {
  return path.join(workFolder, kind, sessionId);
}

/** The scope of a session's files in the database. */
export function sessionScope(kind: SessionFolderKind, sessionId: string): string {
  return `${kind}/${sessionId}`;
}

/** Opens the folder of a session; it need not be there. */
export function sessionFolder(parts: SessionFolderParts, kind: SessionFolderKind, sessionId: string): SessionFolder {
  const { files, workFolder } = parts;
  const folder = sessionFolderPath(workFolder, kind, sessionId);
  const shared = parts.shared?.(sessionScope(kind, sessionId));
  const at = (name: string): string => path.join(folder, name);
  const size = (name: string): Promise<number | undefined> => sizeOf(files, at(name));
  const unlessAway = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SkillmintError)) throw error;
      parts.log(`files of session ${sessionId} (${kind}) do not get to other workers now: ${messageOf(error)}`);
    }
  };
  const names = async (): Promise<readonly string[]> => ((await sizeOf(files, folder)) === undefined ? [] : (await files.list(folder)).map(({ name }) => name));
  const send = async (to: SharedFiles, name: string, content: Uint8Array): Promise<void> => {
    if (content.length > MOST_SHARED_BYTES) return parts.log(`${at(name)} has ${content.length} bytes and stays on this machine: other workers get files of at most ${MOST_SHARED_BYTES}`);
    const digest = sha256(content);
    let before: string | undefined;
    // Another worker may have written it: the one that writes last counts, as on one machine.
    while (before !== digest && (await to.push([{ path: name, digest, size: content.length, read: () => content, mode: MODES.mode, before }])).kind === 'others') {
      before = (await to.since(0)).find((file) => file.path === name)?.digest;
    }
  };
  const sendMissing = async (to: SharedFiles, there: readonly SharedFile[]): Promise<number> => {
    const known = new Set(there.flatMap((file) => (file.digest === undefined ? [] : [file.path])));
    const missing = (await names()).filter((name) => !known.has(name) && NAME.test(name));
    for (const name of missing) await send(to, name, await files.read(at(name)));
    return missing.length;
  };
  return {
    path: folder,
    size,
    async write(name, content) {
      await files.write(at(name), content, MODES);
      if (shared) await unlessAway(() => send(shared, name, typeof content === 'string' ? new TextEncoder().encode(content) : content));
    },
    async read(name) {
      if (!NAME.test(name)) return undefined;
      if ((await size(name)) !== undefined) return files.read(at(name));
      let found: Uint8Array | undefined;
      await unlessAway(async () => {
        const digest = (await shared?.since(0))?.find((file) => file.path === name)?.digest;
        if (digest !== undefined) await shared?.contents([digest], async (_digest, content) => { found = content; });
      });
      return found;
    },
    bytes: async () => (await Promise.all((await names()).map(size))).reduce<number>((sum, one) => sum + (one ?? 0), 0),
    async fetch() {
      if (!shared) return;
      await unlessAway(async () => {
        const here = new Set(await names());
        const there = await shared.since(0);
        const missing = there.filter((file) => file.digest !== undefined && NAME.test(file.path) && !here.has(file.path));
        await shared.contents(missing.flatMap(({ digest }) => digest ?? []), async (digest, content) => {
          for (const file of missing) if (file.digest === digest) await files.write(at(file.path), content, MODES);
        });
        await sendMissing(shared, there);
      });
    },
    send: async () => (shared ? sendMissing(shared, await shared.since(0)) : 0),
    async remove() {
      if (shared) await unlessAway(() => shared.clear());
      await files.remove(folder).catch((error: unknown) => {
        if (systemCode(error) !== 'ENOENT') throw error;
      });
    },
  };
}

async function sizeOf(files: HostFiles, file: string): Promise<number | undefined> {
  try {
    return (await files.lstat(file)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
