import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import type { PromptRequest, RunningTurn, SandboxInfo } from '../../runtime/runtime.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible, whenStopped } from '../interrupts.ts';
import { commandSettings } from '../load-settings.ts';
import { openRuntime, type OpenOptions } from '../open-runtime.ts';
import { indexingNotice } from '../listings/indexing-line.ts';
import { indexingStatus } from '../run/indexing-status.ts';
import { promptRequest } from '../run/run-command.ts';
import type { TurnFlags } from '../run/turn-flags.ts';
import { OutputFault, palette, reportError, write } from '../terminal.ts';
import { answersYes } from '../yes-or-no.ts';
import { askAfter, askAll, openOf } from './ask-all.ts';
import { newConversation, requestFor, sessionLine, type Conversation } from './conversation.ts';
import { notice, openConsole, type Console } from './console.ts';
import { sandboxWords } from './sandbox-words.ts';
import { showTurn } from './show-turn.ts';
import { runSlashCommand } from './slash-commands.ts';

/** `skillmint`: a conversation in the terminal. Resolves to the exit code. */
export async function interactiveCommand(flags: TurnFlags, trial: OpenOptions['trial']): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new SkillmintError('usage', 'There is no terminal here. Use: skillmint run "what to do"');
  return interruptible(async (stop) => {
    const indexing = indexingStatus(indexingNotice, { ephemeral: flags.ephemeral === true });
    const runtime = await openRuntime({ terminal: true, ephemeral: flags.ephemeral === true, trial, onSkillIndexing: indexing.onSkillIndexing });
    const console = openConsole();
    const listening = whenStopped(stop, () => console.close());
    try {
      const request = await promptRequest(runtime, flags);
      const conversation = newConversation({ runtime, console, indexing, ephemeral: flags.ephemeral === true }, request);
      await begin(conversation, request, await runtime.sandbox());
      await converse(conversation);
      await tellOfStopped(conversation);
      await write(process.stdout, '\n');
      return stop.aborted ? EXIT.interrupted : EXIT.done;
    } finally {
      listening();
      console.close();
      await runtime.close();
      await indexing.end();
    }
  });
}

/** Shows where the person is. What the flags say of a session that is gone on with is settled before. */
async function begin(conversation: Conversation, { model, mode, sandbox, tools }: Omit<PromptRequest, 'text'>, report: SandboxInfo): Promise<void> {
  const { runtime, sessionId, start } = conversation;
  const paint = palette(process.stdout);
  const known = sessionId === undefined ? undefined : await runtime.sessions.get(sessionId);
  const { loaded } = await commandSettings(known?.cwd ?? start.cwd);
  const words = sandboxWords({ report, setting: sandbox ?? loaded.values.sandbox, tools });
  await write(process.stdout, `${paint.bold('skillmint')} ${paint.dim(`· sandbox: ${words} · /help for commands, Ctrl-C stops, Ctrl-D ends`)}\n`);
  if (!known) return tellOfLatest(conversation);
  if (model !== undefined || mode !== undefined) await runtime.configure(known.session_id, { ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) });
  await write(process.stdout, `${paint.dim(await sessionLine(conversation, known.session_id))}\n`);
  await orReport(() => offerToGoOn(conversation));
}

async function tellOfLatest({ runtime, start }: Conversation): Promise<void> {
  const [latest] = await runtime.sessions.list({ cwd: path.resolve(start.cwd ?? '.'), limit: 1 });
  if (latest?.status === 'interrupted') await notice('the latest session here was cut off; skillmint --continue goes on with it');
  if (latest?.status === 'waiting') await notice('the latest session here waits for you; skillmint --continue asks what for');
}

/** A turn that was cut off goes on if the person wants it to; their next message closes it. What the session waits for is asked. */
async function offerToGoOn(conversation: Conversation): Promise<void> {
  const { runtime, sessionId, console } = conversation;
  if (sessionId === undefined) return;
  const isCutOff = (await runtime.sessions.get(sessionId)).status === 'interrupted';
  if (!isCutOff) await askAll(conversation, sessionId, await openOf(runtime, sessionId));
  else if (await answersYes(console, 'Its last turn was cut off. Go on with it?')) await untilAnswered(conversation, await runtime.resume({ sessionId }));
}

/** What the end of the program ends with it. */
async function tellOfStopped({ runtime, sessionId }: Conversation): Promise<void> {
  const left = sessionId === undefined ? [] : runtime.agents.running(sessionId);
  if (left.length > 0) await notice(`stopped with the conversation: ${left.map(({ agent_type, task_id }) => `the background agent ${agent_type} (${task_id})`).join(', ')}`);
}

async function converse(conversation: Conversation): Promise<void> {
  for (;;) {
    const text = await readMessage(conversation.console);
    if (text === undefined) return;
    if (text.trim() === '') continue;
    if ((await orReport(() => runLine(conversation, text))) === 'quit') return;
  }
}

async function runLine(conversation: Conversation, text: string): Promise<'quit' | void> {
  const next = text.startsWith('/') ? await runSlashCommand(conversation, text) : 'message';
  switch (next) {
    case 'quit': return 'quit';
    case 'resumed': return offerToGoOn(conversation);
    case 'message': return runPrompt(conversation, text);
    case undefined: return undefined;
  }
}

/** What goes wrong is told, and the conversation goes on. */
async function orReport<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    // Without a terminal there is nobody to go on with.
    if (error instanceof OutputFault) throw error;
    await reportError(error);
    return undefined;
  }
}

/** One message; a line that ends with a backslash goes on, and Ctrl-C begins anew. Undefined at the end of input. */
async function readMessage(console: Console): Promise<string | undefined> {
  const lines: string[] = [];
  for (;;) {
    const typed = await console.ask(lines.length === 0 ? '\n> ' : '… ');
    switch (typed.kind) {
      case 'ended': return undefined;
      case 'interrupted':
        if (typed.wasEmpty && lines.length === 0) await notice('press Ctrl-D to end');
        lines.length = 0;
        break;
      case 'line':
        if (!typed.text.endsWith('\\')) return [...lines, typed.text].join('\n');
        lines.push(typed.text.slice(0, -1));
    }
  }
}

async function runPrompt(conversation: Conversation, text: string): Promise<void> {
  const turn = await conversation.runtime.prompt(requestFor(conversation, text));
  conversation.sessionId = turn.sessionId;
  await untilAnswered(conversation, turn);
}

/** Shows a turn, and asks the person for all that it and the agents in the background wait for. */
async function untilAnswered(conversation: Conversation, turn: RunningTurn): Promise<void> {
  await askAfter(conversation, turn.sessionId, await showTurn(conversation, turn));
}
