import { isObject } from '../../protocol/json.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { StoredEvent } from '../../protocol/events.ts';
import type { BeforeChange } from '../../protocol/rewind.ts';
import type { SessionStore } from '../../sessions/store.ts';

/** A change that a session, or one of its sub-agents, has made to a file. */
export interface FileChange {
  /** Real path. */
  readonly path: string;
  readonly before: BeforeChange;
  /** Stamp of the file after it; nothing where somebody has removed it at once. */
  readonly stamp: string | undefined;
  /** Session whose log tells of it. */
  readonly sessionId: string;
  readonly time: string;
}

/** What happened from an event of a session on. */
export interface ChangesSince {
  /** In the order of time. */
  readonly files: readonly FileChange[];
  readonly commands: readonly string[];
}

/** Reads what a session and its sub-agents have changed, from an event on. */
export async function changesSince(store: Pick<SessionStore, 'read'>, sessionId: string, seq: number): Promise<ChangesSince> {
  const files: FileChange[] = [];
  const commands: string[] = [];
  const seen = new Set<string>();
  const read = async (id: string, after: number): Promise<void> => {
    if (seen.has(id)) return;
    seen.add(id);
    const children: string[] = [];
    for await (const event of eventsOf(store, id, after)) {
      // What an agent does in a worktree of its own touches nothing here.
      if (event.type === 'session.started' && event.agent?.worktree) return;
      if (event.type === 'tool.completed') files.push(...changeOf(event, id));
      if (event.type === 'tool.requested') commands.push(...commandOf(event));
      if (event.type === 'agent.started') children.push(event.child_id);
    }
    for (const child of children) await read(child, 0);
  };
  await read(sessionId, seq - 1);
  return { files: files.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)), commands: [...new Set(commands)] };
}

/** Nothing where the session of a sub-agent was removed. */
async function* eventsOf(store: Pick<SessionStore, 'read'>, id: string, after: number): AsyncIterable<StoredEvent> {
  try {
    yield* store.read(id, after);
  } catch (error) {
    if (!(error instanceof SkillmintError && error.code === 'session_not_found')) throw error;
  }
}

function commandOf({ tool, input }: Extract<StoredEvent, { type: 'tool.requested' }>): readonly string[] {
  return tool === 'Bash' && typeof input['command'] === 'string' ? [input['command']] : [];
}

function changeOf({ details, time }: Extract<StoredEvent, { type: 'tool.completed' }>, sessionId: string): readonly FileChange[] {
  const before = readBefore(details?.['before']);
  const stamps = details?.['stamps'];
  if (!before || !isObject(stamps)) return [];
  const [[path, stamp] = [details?.['real_path'], undefined]] = Object.entries(stamps);
  return typeof path === 'string' ? [{ path, before, stamp: typeof stamp === 'string' ? stamp : undefined, sessionId, time }] : [];
}

function readBefore(value: unknown): BeforeChange | undefined {
  if (!isObject(value)) return undefined;
  const { state, digest, mode } = value;
  if (state === 'none' || state === 'lost') return { state };
  return state === 'kept' && typeof digest === 'string' && typeof mode === 'number' ? { state, digest, mode } : undefined;
}
