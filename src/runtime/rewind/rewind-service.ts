import { SkillmintError, messageOf, systemCode } from '../../protocol/errors.ts';
import { textOf } from '../../protocol/content.ts';
import type { RewindFile, RewindPoint, RewindResult } from '../../protocol/rewind.ts';
import type { HostFiles } from '../../host/host.ts';
import { stampOf } from '../../host/stamp.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { changesSince, type FileChange } from './changes-since.ts';
import { digestOf, preImages } from './pre-images.ts';
import type { RewindService } from './rewind.ts';

/** A file with all that setting it back takes. */
interface Restorable extends RewindFile {
  readonly bytes: Uint8Array | undefined;
  readonly mode: number | undefined;
}

/** The service of one session; `fork` makes a copy of it up to an event. */
export function rewindService({ parts, binder }: TurnParts, sessionId: string, fork: (atSeq: number, note: string) => Promise<string>): RewindService {
  const { store, host: { files } } = parts;
  const read = async (change: FileChange): Promise<Uint8Array | undefined> => {
    if (change.before.state !== 'kept') return undefined;
    // A copy of a session goes on with what the original has kept.
    for (let id: string | undefined = change.sessionId; id !== undefined; id = (await store.get(id))?.parent_id) {
      const bytes = await preImages(parts.sessionFolder('before', id)).read(change.before.digest);
      if (bytes) return bytes;
    }
    return undefined;
  };
  const points = async (): Promise<readonly RewindPoint[]> => {
    const found: RewindPoint[] = [];
    for await (const event of store.read(sessionId)) if (event.type === 'turn.started' && !event.is_sub_agent) found.push({ seq: event.seq, turn_id: event.turn_id, text: textOf(event.input), time: event.time });
    return found;
  };
  const look = async (to: number | string): Promise<{ readonly point: RewindPoint; readonly found: readonly Restorable[]; readonly commands: readonly string[] }> => {
    const point = (await points()).find(({ seq, turn_id }) => seq === to || turn_id === to);
    if (!point) throw new SkillmintError('not_found', `No message of session ${sessionId} has the ${typeof to === 'number' ? 'number' : 'turn'} ${to}.`);
    const changes = await changesSince(store, sessionId, point.seq);
    const found: Restorable[] = [];
    for (const first of firstChanges(changes.files)) {
      const last = changes.files.findLast(({ path }) => path === first.path) ?? first;
      const restorable = await restorableFile(files, { first, last, bytes: await read(first) });
      if (restorable) found.push(restorable);
    }
    return { point, found, commands: changes.commands };
  };
  return {
    points,
    async plan(to) {
      const { point, found, commands } = await look(to);
      return { ...point, commands, files: found.map(({ path, change, state }) => ({ path, change, state })) };
    },
    async run(to, { overwrite, files: withFiles = true, conversation = true }) {
      if (!withFiles && !conversation) throw new SkillmintError('usage', 'Neither files nor conversation are to be taken back: choose at least one of them.');
      if (binder.background(sessionId).all().length > 0) throw new SkillmintError('session_busy', `Agents in the background of session ${sessionId} still work. Wait for them or stop them, then go back.`);
      const { seq, ...done } = await binder.hold(sessionId, async (session) => {
        binder.refuseElsewhere(session.state.cwd);
        const { point, found, commands } = await look(to);
        const set = await setBack(files, withFiles ? found : [], overwrite);
        if (!conversation) await session.append([{ type: 'warning', code: 'rewound', message: `Files were taken back to before the message ${point.seq}, and the conversation goes on. ${filesNote(set)}` }]);
        return { seq: point.seq, commands, ...set };
      });
      return { ...done, session_id: conversation ? await fork(seq - 1, `The conversation was taken back to here. ${filesNote(done)}`) : sessionId };
    },
  };
}

function firstChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const first = new Map<string, FileChange>();
  for (const change of changes) if (!first.has(change.path)) first.set(change.path, change);
  return [...first.values()];
}

/** Nothing where the file is as it was before. */
async function restorableFile(files: HostFiles, { first, last, bytes }: { readonly first: FileChange; readonly last: FileChange; readonly bytes: Uint8Array | undefined }): Promise<Restorable | undefined> {
  const { path, before } = first;
  const now = await files.exact(path, async (file) => {
    const stat = await file.stat();
    return stat?.kind === 'file' ? { stamp: stampOf(stat), digest: before.state === 'kept' ? digestOf(await file.read()) : '' } : stat && { stamp: '', digest: '' };
  }).catch((error: unknown) => refused(error));
  const change = before.state === 'none' ? 'remove' : 'restore';
  if (change === 'remove' && !now) return undefined;
  if (before.state === 'kept' && now?.digest === before.digest) return undefined;
  const isKnown = before.state === 'none' || bytes !== undefined;
  const isOurs = !now || now.stamp === last.stamp;
  return { path, change, bytes, mode: before.state === 'kept' ? before.mode : undefined, state: isKnown ? (isOurs ? 'ready' : 'changed') : 'lost' };
}

/** A file that cannot be looked at is another one by now. */
function refused(error: unknown): { readonly stamp: string; readonly digest: string } {
  if (systemCode(error) === '') throw error;
  return { stamp: '', digest: '' };
}

type SetBack = Pick<RewindResult, 'restored' | 'removed' | 'left'>;

async function setBack(files: HostFiles, found: readonly Restorable[], overwrite: boolean): Promise<SetBack> {
  const done: { readonly restored: string[]; readonly removed: string[]; readonly left: { readonly path: string; readonly why: string }[] } = { restored: [], removed: [], left: [] };
  for (const { path, change, state, bytes, mode } of found) {
    if (state === 'lost') done.left.push({ path, why: 'what it was before was not kept' });
    else if (state === 'changed' && !overwrite) done.left.push({ path, why: 'it was changed by somebody else since' });
    else {
      try {
        if (change === 'remove') await removeExactly(files, path);
        else if (bytes) await files.exact(path, (file) => file.write(bytes, mode === undefined ? {} : { mode }));
        done[change === 'remove' ? 'removed' : 'restored'].push(path);
      } catch (error) {
        if (systemCode(error) === '' && !(error instanceof SkillmintError)) throw error;
        done.left.push({ path, why: messageOf(error) });
      }
    }
  }
  return done;
}

async function removeExactly(files: HostFiles, path: string): Promise<void> {
  const really = await files.realPath(path);
  if (really !== path) throw new SkillmintError('path_refused', `${path} is another file by now.`);
  await files.remove(path);
}

function filesNote({ restored, removed, left }: SetBack): string {
  const lists = [['set back', restored], ['removed', removed], ['left as they are', left.map(({ path }) => path)]] as const;
  const words = lists.flatMap(([what, paths]) => (paths.length > 0 ? [`${what}: ${paths.join(', ')}`] : []));
  return `Files ${words.join('; ') || 'were not changed'}.`;
}
