import { randomUUID } from 'node:crypto';
import { SkillmintError } from '../../protocol/errors.ts';
import type { AnswerRequest, PromptRequest, ResumeRequest, RunningTurn, Runtime } from '../runtime.ts';
import { RepeatedMessageError } from './repeated-message.ts';

/** A turn may end while a message is on its way to it; it is then tried again, so often. */
const MOST_PASSED = 2;

/** A message to a session that exists; one that is `alone` is not given to a turn that runs. */
export type SessionMessage = PromptRequest & { readonly sessionId: string; readonly alone?: boolean };

/** Keeps the turns of a process for faces whose requests come and go: they follow the session for what happens. */
export interface TurnKeeper {
  /**
   * Gives a message to the turn that runs, or begins one; resolves to the turn's id once it is stored. Messages to one session
   * are taken in one after the other. One that comes again with its key gives the id of the turn that has it.
   * @throws SkillmintError as `Runtime.prompt`, and session_busy for one that is alone
   */
  send(message: SessionMessage): Promise<string>;
  /** Answers what a session waits for; resolves to the id of the turn that goes on. @throws SkillmintError as `Runtime.answer` */
  answer(request: AnswerRequest): Promise<string>;
  /** Goes on with a turn that was cut off. @throws SkillmintError as `Runtime.resume` */
  resume(request: ResumeRequest): Promise<string>;
  /** Keeps a turn that somebody else has begun, such as the worker of a service. */
  keep(turn: RunningTurn): void;
  /** Stops the turn of a session that runs in this process; false where none does. */
  cancel(sessionId: string): boolean;
  /** True while a turn runs. */
  busy(): boolean;
}

/** Makes a keeper. `onFault` is told of a turn whose log could not be written. */
export function turnKeeper(runtime: Pick<Runtime, 'prompt' | 'passMessage' | 'answer' | 'resume'>, { onFault }: { readonly onFault: (sessionId: string, error: unknown) => void }): TurnKeeper {
  const turns = new Map<string, RunningTurn>();
  const inOrder = orderly();
  const keep = (turn: RunningTurn): void => {
    turns.set(turn.sessionId, turn);
    follow(turn).catch((error: unknown) => onFault(turn.sessionId, error)).finally(() => {
      if (turns.get(turn.sessionId) === turn) turns.delete(turn.sessionId);
    });
  };
  const kept = async (begun: Promise<RunningTurn>): Promise<string> => {
    const turn = await begun;
    keep(turn);
    return turn.begun;
  };
  const toRunning = async (turn: RunningTurn, message: SessionMessage): Promise<string | undefined> => {
    try {
      await turn.steer(message.text, message);
      return await turn.begun;
    } catch (error) {
      if (!(error instanceof SkillmintError) || error.code !== 'turn_ended') throw error;
      await turn.result;
      return undefined;
    }
  };
  const send = async (message: SessionMessage): Promise<string> => {
    const turn = turns.get(message.sessionId);
    const taken = turn && (await toRunning(turn, message));
    return taken ?? toOthers(message);
  };
  /** A turn of the session may run in another process, which takes the message, or is about to end. */
  const toOthers = async ({ alone = false, ...message }: SessionMessage): Promise<string> => {
    const keyed = { ...message, key: message.key ?? randomUUID() };
    for (let passed = 0; ; passed += 1) {
      try {
        return await kept(runtime.prompt(passed === 0 ? message : keyed));
      } catch (error) {
        if (alone || passed === MOST_PASSED || !(error instanceof SkillmintError) || error.code !== 'session_busy') throw error;
        const turnId = await runtime.passMessage(keyed);
        if (turnId !== undefined) return turnId;
      }
    }
  };
  return {
    send: (message) => inOrder(message.sessionId, () => send(message).catch(turnOfRepeated)),
    answer: (request) => inOrder(request.sessionId, () => kept(runtime.answer(request))),
    resume: (request) => inOrder(request.sessionId, () => kept(runtime.resume(request))),
    keep,
    busy: () => turns.size > 0,
    cancel: (sessionId) => {
      turns.get(sessionId)?.cancel();
      return turns.has(sessionId);
    },
  };
}

async function follow(turn: RunningTurn): Promise<void> {
  for await (const _ of turn.events);
  await turn.result;
}

function turnOfRepeated(error: unknown): string {
  if (error instanceof RepeatedMessageError) return error.turnId;
  throw error;
}

/** Runs works with one name one after the other. */
function orderly(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const result = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = result.then(() => undefined, () => undefined).then(() => {
      if (last.get(name) === settled) last.delete(name);
    });
    last.set(name, settled);
    return result;
  };
}
