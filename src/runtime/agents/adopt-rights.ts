import type { EventBody } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { restrictionsFor } from '../session/session-restriction.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { childMode } from './child-events.ts';

/** Mode and restrictions of the session that started a run, where they are no longer those that the run has. */
export function adoptedEvents(outer: SessionState, child: SessionState): readonly EventBody[] {
  const restrictions = restrictionsFor(outer);
  const mode = childMode(outer, child.agent);
  return [
    ...(mode === child.permission_mode ? [] : [{ type: 'mode.changed', mode } as const]),
    ...(JSON.stringify(restrictions) === JSON.stringify(child.restrictions) ? [] : [{ type: 'restrictions.changed', restrictions } as const]),
  ];
}

/** The same for the session of a sub-agent that goes on by itself; nothing where the one that has started it is gone. */
export async function rightsOfNow({ binder }: TurnParts, child: SessionState): Promise<readonly EventBody[]> {
  const outer = await binder.outerOf(child);
  return outer ? adoptedEvents(outer, child) : [];
}
