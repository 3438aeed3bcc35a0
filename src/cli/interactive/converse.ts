import path from 'node:path';
import type { PromptRequest, RunningTurn, Runtime, SandboxInfo } from '../../runtime/runtime.ts';
import { EXIT } from '../exit-codes.ts';
import { commandSettings } from '../load-settings.ts';
import { openRuntime, type OpenOptions } from '../open-runtime.ts';
import { promptRequest } from '../run/run-command.ts';
import type { TurnFlags } from '../run/turn-flags.ts';
import { OutputFault, printable } from '../terminal.ts';
import { openOf } from '../../runtime/turn/open-of.ts';
import { askAfter, askAll } from './ask-all.ts';
import { folderOf, newConversation, requestFor, sessionLine, type Conversation } from './conversation.ts';
import type { OpenedFace } from './open-face.ts';
import { sandboxWords } from './sandbox-words.ts';
import { runSlashCommand } from './slash-commands.ts';

/** What a conversation is held with. */
export interface ConverseOptions extends OpenedFace {
  readonly flags: TurnFlags;
  readonly trial: OpenOptions['trial'];
  readonly stop: AbortSignal;
}

/** Holds a conversation on a face to its end; resolves to the exit code. */
export async function holdConversation({ face, indexing, flags, trial, stop }: ConverseOptions): Promise<number> {
  const ephemeral = flags.ephemeral === true;
  let runtime: Runtime | undefined;
  try {
    runtime = await openRuntime({ terminal: true, ephemeral, trial, onSkillIndexing: indexing.onSkillIndexing });
    const request = await promptRequest(runtime, flags);
    const conversation = newConversation({ runtime, face, ephemeral }, request);
    await begin(conversation, request, await runtime.sandbox());
    await converse(conversation);
    await tellOfStopped(conversation);
    return stop.aborted ? EXIT.interrupted : EXIT.done;
  } finally {
    await face.close();
    await runtime?.close();
    await indexing.end();
  }
}

/** Shows where the person is. What the flags say of a session that is gone on with is settled before. */
async function begin(conversation: Conversation, { model, mode, sandbox, tools }: Omit<PromptRequest, 'text'>, report: SandboxInfo): Promise<void> {
  const { runtime, face, sessionId, start } = conversation;
  const known = sessionId === undefined ? undefined : await runtime.sessions.get(sessionId);
  const { loaded } = await commandSettings(known?.cwd ?? start.cwd);
  conversation.sandbox = sandboxWords({ report, setting: sandbox ?? loaded.values.sandbox, tools });
  conversation.defaults = { model: loaded.values.model, mode: loaded.values.permissions.mode };
  await face.greet(conversation.sandbox);
  if (known && (model !== undefined || mode !== undefined)) await runtime.configure(known.session_id, { ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) });
  await enter(conversation);
  if (!known) return tellOfLatest(conversation);
  await face.notice(await sessionLine(conversation, known.session_id));
  await orReport(conversation, () => offerToGoOn(conversation));
}

/** Tells the face where the conversation is. */
async function enter(conversation: Conversation): Promise<void> {
  const { runtime, face, sessionId, start, sandbox, defaults } = conversation;
  await face.enter({ runtime, sessionId, sandbox, cwd: await folderOf(conversation), model: start.model ?? defaults.model, mode: start.mode ?? defaults.mode ?? 'default', change: (mode) => runLine(conversation, `/mode ${mode}`) });
}

async function tellOfLatest({ runtime, face, start }: Conversation): Promise<void> {
  const [latest] = await runtime.sessions.list({ cwd: path.resolve(start.cwd ?? '.'), limit: 1 });
  if (latest?.status === 'interrupted') await face.notice('the latest session here was cut off; skillmint --continue goes on with it');
  if (latest?.status === 'waiting') await face.notice('the latest session here waits for you; skillmint --continue asks what for');
}

/** A turn that was cut off goes on if the person wants it to; their next message closes it. What the session waits for is asked. */
async function offerToGoOn(conversation: Conversation): Promise<void> {
  const { runtime, sessionId, face } = conversation;
  if (sessionId === undefined) return;
  const isCutOff = (await runtime.sessions.get(sessionId)).status === 'interrupted';
  if (!isCutOff) await askAll(conversation, sessionId, await openOf(runtime, sessionId));
  else if (await face.confirm('Its last turn was cut off. Go on with it?')) await untilAnswered(conversation, await runtime.resume({ sessionId }));
}

/** What the end of the program ends with it. */
async function tellOfStopped({ runtime, face, sessionId }: Conversation): Promise<void> {
  const left = sessionId === undefined ? [] : runtime.agents.running(sessionId);
  if (left.length > 0) await face.notice(`stopped with the conversation: ${left.map(({ agent_type, task_id }) => `the background agent ${agent_type} (${task_id})`).join(', ')}`);
}

async function converse(conversation: Conversation): Promise<void> {
  for (;;) {
    const text = await nextMessage(conversation);
    if (text === undefined) return;
    if (text.trim() === '') continue;
    if ((await orReport(conversation, () => runLine(conversation, text))) === 'quit') return;
  }
}

/** The next message. What agents in the background come to need meanwhile is asked, where the face can. */
async function nextMessage(conversation: Conversation): Promise<string | undefined> {
  const { face, runtime, sessionId } = conversation;
  const reading = face.read().then((text) => ({ text }));
  if (!face.asksAnytime || sessionId === undefined) return (await reading).text;
  const told = new Set<string>();
  for (;;) {
    const running = runtime.agents.running(sessionId).filter(({ task_id }) => !told.has(task_id));
    if (running.length === 0) return (await reading).text;
    const next = await Promise.race([reading, ...running.map(async ({ task_id, ended }) => ended.then(() => ({ task_id })))]);
    if ('text' in next) return next.text;
    told.add(next.task_id);
    await orReport(conversation, async () => {
      await enter(conversation);
      await askAll(conversation, sessionId, (await openOf(runtime, sessionId)).filter(({ agent }) => agent?.task_id === next.task_id));
    });
  }
}

async function runLine(conversation: Conversation, text: string): Promise<'quit' | void> {
  const next = text.startsWith('/') ? await runSlashCommand(conversation, text) : 'message';
  if (next === 'message') return runPrompt(conversation, text);
  if (next === 'quit') return 'quit';
  await enter(conversation);
  if (next === 'resumed') await offerToGoOn(conversation);
}

/** What goes wrong is told, and the conversation goes on. */
async function orReport<T>({ face }: Conversation, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    // Without a terminal there is nobody to go on with.
    if (error instanceof OutputFault) throw error;
    await face.report(error);
    return undefined;
  }
}

async function runPrompt(conversation: Conversation, text: string): Promise<void> {
  const turn = await begun(conversation, text);
  conversation.sessionId = turn.sessionId;
  await untilAnswered(conversation, turn);
}

/** The turn that a message begins. One that begins none is not lost. */
async function begun(conversation: Conversation, text: string): Promise<RunningTurn> {
  try {
    return await conversation.runtime.prompt(requestFor(conversation, text));
  } catch (error) {
    conversation.face.suggest(printable(text));
    throw error;
  }
}

/** Shows a turn, and asks the person for all that it and the agents in the background wait for. */
async function untilAnswered(conversation: Conversation, turn: RunningTurn): Promise<void> {
  await askAfter(conversation, turn.sessionId, await conversation.face.show(turn));
}
