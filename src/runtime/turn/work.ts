import { SkillmintError } from '../../protocol/errors.ts';
import type { TurnOutcome } from '../../sessions/turn-queue.ts';
import type { RuntimeParts } from '../parts.ts';
import type { RunningTurn, WorkOnOptions, WorkOptions } from '../runtime.ts';
import { leftToDo } from './left-to-do.ts';
import type { TurnParts } from './turn-parts.ts';
import { resume } from './turns.ts';

const USUAL_PARALLEL = 4;
/** A turn that has ended the program so often, without a reply of the model in between, is not tried again by itself. */
const MOST_RESUMED = 3;

/** What the work of a service needs of its runtime. */
export interface WorkParts {
  readonly turns: TurnParts;
  /** Lets the runtime know of a turn that runs. */
  readonly track: (turn: RunningTurn) => RunningTurn;
  /** Leaves all turns of this runtime as they are, for the next service. */
  readonly suspend: () => void;
}

/** See `Runtime.work`. */
export async function work(parts: WorkParts, options: WorkOptions): Promise<void> {
  const { queue, owner, store } = requireService(parts.turns.parts);
  const { signal, parallel = USUAL_PARALLEL, onFault } = options;
  const left = leftToDo(() => store.left(), (sessionId) => sessionId);
  const turn = (sessionId: string): Promise<TurnOutcome> => workOn(parts, sessionId, { ...options, onFault: (id, error) => {
    left.giveUp(id);
    onFault?.(id, error);
  } });
  if (!signal.aborted) await queue.work({ owner, signal, parallel, turn, left: left.find, onHeld: options.onHeld });
}

/** See `Runtime.workOn`. */
export async function workOn({ turns, track, suspend }: WorkParts, sessionId: string, { signal, onTurn, onFault }: WorkOnOptions): Promise<TurnOutcome> {
  requireService(turns.parts);
  signal.addEventListener('abort', suspend, { once: true });
  try {
    if (signal.aborted) return 'later';
    await follow(await goOn({ turns, track }, sessionId), onTurn);
    return 'done';
  } catch (error) {
    if (!(error instanceof SkillmintError)) throw error;
    if (signal.aborted || error.code === 'session_busy' || error.code === 'session_fenced') return 'later';
    if (error.code !== 'nothing_to_resume' && error.code !== 'session_not_found') onFault?.(sessionId, error);
    return 'done';
  } finally {
    signal.removeEventListener('abort', suspend);
  }
}

function requireService(parts: RuntimeParts): RuntimeParts {
  if (parts.owner.service) return parts;
  throw new SkillmintError('invalid_argument', 'Only a runtime that was opened as a service works on turns by itself. Open it with { service: true }.');
}

async function goOn({ turns, track }: Pick<WorkParts, 'turns' | 'track'>, sessionId: string): Promise<RunningTurn> {
  const { turn } = await turns.binder.state(sessionId);
  if (turn?.status === 'running' && (turn.resumed ?? 0) >= MOST_RESUMED) {
    throw new SkillmintError('interrupted', `The turn of session ${sessionId} was cut off ${MOST_RESUMED} times at the same place and is not tried again by itself. Look at it with: skillmint sessions show ${sessionId}, and go on with: skillmint run --session ${sessionId}`);
  }
  return track(await resume(turns, { sessionId }));
}

/** Follows a turn to its end; somebody else may listen. */
async function follow(turn: RunningTurn, onTurn: WorkOptions['onTurn']): Promise<void> {
  if (onTurn) onTurn(turn);
  else for await (const _ of turn.events);
  await turn.result;
}
