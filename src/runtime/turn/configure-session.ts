import type { EventBody } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { RuntimeParts } from '../parts.ts';
import type { Runtime } from '../runtime.ts';
import type { SessionBinder } from '../session/session-binder.ts';
import { folderEvents } from './further-folders.ts';
import { changeEvents } from './turns.ts';

/** Gives an idle session another model, mode or further folders. One that has them already need not be idle. @throws SkillmintError session_not_found, session_busy, model_unknown, key_missing, invalid_argument */
export async function configureSession(parts: RuntimeParts, binder: SessionBinder, sessionId: string, { addDirs, ...change }: Parameters<Runtime['configure']>[1]): Promise<void> {
  const eventsOf = async (state: SessionState): Promise<readonly EventBody[]> => [...(await changeEvents(parts, { state }, change)), ...(addDirs === undefined ? [] : await folderEvents(parts, state, addDirs))];
  if ((await eventsOf(await binder.state(sessionId))).length === 0) return;
  await binder.hold(sessionId, async (session) => {
    const events = await eventsOf(session.state);
    if (events.length > 0) await session.append(events);
  });
}
