import { SkillmintError } from '../../protocol/errors.ts';
import type { PromptRequest, RunningTurn, SandboxInfo, TurnResult } from '../../runtime/runtime.ts';
import { EXIT } from '../exit-codes.ts';
import { endAtOnce, interruptible, whenStopped } from '../interrupts.ts';
import { commandSettings } from '../load-settings.ts';
import { openRuntime } from '../open-runtime.ts';
import { indexingNotice } from '../listings/indexing-line.ts';
import { followEvents } from '../run/follow-events.ts';
import { indexingStatus } from '../run/indexing-status.ts';
import { plainProgress } from '../run/plain-progress.ts';
import { promptRequest } from '../run/run-command.ts';
import type { TurnFlags } from '../run/turn-flags.ts';
import { oneLine, OutputFault, palette, reportError, write } from '../terminal.ts';
import { askPerson } from './ask-person.ts';
import { newConversation, requestFor, sessionLine, type Conversation } from './conversation.ts';
import { notice, openConsole, type Console } from './console.ts';
import { sandboxWords } from './sandbox-words.ts';
import { runSlashCommand } from './slash-commands.ts';

/** `skillmint`: a conversation in the terminal. Resolves to the exit code. */
export async function interactiveCommand(flags: TurnFlags): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new SkillmintError('usage', 'There is no terminal here. Use: skillmint run "what to do"');
  return interruptible(async (stop) => {
    const indexing = indexingStatus(indexingNotice, { ephemeral: flags.ephemeral === true });
    const runtime = await openRuntime({ ...flags, terminal: true, onSkillIndexing: indexing.onSkillIndexing });
    const console = openConsole();
    const listening = whenStopped(stop, () => console.close());
    try {
      const request = await promptRequest(runtime, flags);
      const conversation = newConversation({ runtime, console, indexing, ephemeral: flags.ephemeral === true }, request);
      await begin(conversation, request, await runtime.sandbox());
      await converse(conversation);
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
  if (!known) return;
  if (model !== undefined || mode !== undefined) await runtime.configure(known.session_id, { ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) });
  await write(process.stdout, `${paint.dim(await sessionLine(conversation, known.session_id))}\n`);
}

async function converse(conversation: Conversation): Promise<void> {
  for (;;) {
    const text = await readMessage(conversation.console);
    if (text === undefined) return;
    if (text.trim() === '') continue;
    try {
      if (text.startsWith('/')) {
        const next = await runSlashCommand(conversation, text);
        if (next === 'quit') return;
        if (next !== 'message') continue;
      }
      await runPrompt(conversation, text);
    } catch (error) {
      // Without a terminal there is nobody to go on with.
      if (error instanceof OutputFault) throw error;
      await reportError(error);
    }
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
  const { runtime, ephemeral } = conversation;
  const turn = await runtime.prompt(requestFor(conversation, text));
  const { sessionId } = turn;
  conversation.sessionId = sessionId;
  let result = await showTurn(conversation, turn);
  while (result.status === 'waiting') {
    const [open] = result.open;
    const answer = open ? await askPerson(conversation.console, open) : undefined;
    if (!open || !answer) return notice(ephemeral ? 'waiting; your next message takes the place of the answer' : `waiting; answer later with: skillmint answer ${sessionId}`);
    result = await showTurn(conversation, await runtime.answer({ sessionId, answer, requestId: open.question.request_id }));
  }
}

/** Shows a turn to its end. What is typed meanwhile is sent to it; commands, and what comes too late, are kept for afterwards. */
async function showTurn({ console, indexing }: Conversation, turn: RunningTurn): Promise<TurnResult> {
  let stopping = false;
  const interrupt = (): void => {
    if (stopping) endAtOnce();
    stopping = true;
    turn.cancel();
  };
  const take = async (line: string): Promise<boolean> => {
    if (line.trim() === '' || line.startsWith('/')) return false;
    try {
      await turn.steer(line);
      await notice('taken in at the next step');
      return true;
    } catch (error) {
      const cameTooLate = error instanceof SkillmintError && error.code === 'invalid_argument';
      if (!cameTooLate) await reportError(error);
      // What a hook has refused is not offered again.
      return error instanceof SkillmintError && error.code === 'permission_denied';
    }
  };
  const result = await console.during(() => followEvents(turn, indexing.beside(plainProgress(process.stdout, { text: process.stdout }), { streams: true })), { interrupt, end: () => turn.cancel(), take });
  // What is typed between turns stands in the line.
  indexing.pause();
  if (result.error) await write(process.stdout, palette(process.stdout).red(`\n${oneLine(result.error.message)}\n`));
  else if (result.status === 'cancelled') await notice('stopped');
  if (result.status !== 'waiting') await notice(statusLine(result));
  return result;
}

function statusLine({ usage, cost_usd, status }: TurnResult): string {
  const tokens = `${usage.input + usage.cache_read + usage.cache_write} in, ${usage.output} out`;
  return `${status} · ${tokens}${cost_usd === undefined ? '' : ` · $${cost_usd.toFixed(4)}`}`;
}
