import { SkillmintError } from '../protocol/errors.ts';
import type { StoredEvent } from '../protocol/events.ts';
import type { SessionRow } from './session-rows.ts';

/** The text of an event in the database, which is without the columns beside it. */
export function textOfEvent({ session_id: _session, seq: _seq, ...rest }: StoredEvent): string {
  return JSON.stringify(rest);
}

/** An event from its row. @throws SkillmintError store_corrupt */
export function eventOf(sessionId: string, row: SessionRow): StoredEvent {
  try {
    // The text was written by `textOfEvent` from a StoredEvent and lies in a transaction-safe store.
    const { time, agent_id, is_sub_agent, ...body } = JSON.parse(String(row['event'])) as StoredEvent;
    return { ...body, session_id: sessionId, seq: Number(row['seq']), time, ...(agent_id === undefined ? {} : { agent_id }), ...(is_sub_agent ? { is_sub_agent } : {}) };
  } catch (error) {
    throw new SkillmintError('store_corrupt', `Event ${String(row['seq'])} of session ${sessionId} cannot be read. Restore the database from a backup, or remove the session: skillmint sessions remove ${sessionId}`, { cause: error });
  }
}
