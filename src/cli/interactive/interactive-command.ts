import { SkillmintError } from '../../protocol/errors.ts';
import type { RunningTurn, TurnResult } from '../../runtime/runtime.ts';
import { openRuntime } from '../open-runtime.ts';
import { plainProgress } from '../run/plain-progress.ts';
import { promptRequest } from '../run/run-command.ts';
import type { TurnFlags } from '../run/turn-flags.ts';
import { oneLine, palette, reportError, write } from '../terminal.ts';
import { askPerson } from './ask-person.ts';
import type { Conversation } from './conversation.ts';
import { notice, openConsole, type Console } from './console.ts';
import { runSlashCommand } from './slash-commands.ts';

/** `skillmint`: a conversation in the terminal. Resolves to the exit code. */
export async function interactiveCommand(flags: TurnFlags): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new SkillmintError('usage', 'There is no terminal here. Use: skillmint run "what to do"');
  const runtime = await openRuntime({ ...flags, terminal: true });
  const console = openConsole();
  try {
    const { sessionId, ...base } = await promptRequest(runtime, flags);
    const conversation: Conversation = { runtime, console, base, sessionId, chosen: {} };
    await greet(conversation);
    await converse(conversation);
    return 0;
  } finally {
    console.close();
    await runtime.close();
  }
}

async function greet({ runtime, sessionId }: Conversation): Promise<void> {
  const paint = palette(process.stdout);
  const { state } = await runtime.sandbox();
  await write(process.stdout, `${paint.bold('skillmint')} ${paint.dim(`· sandbox: ${state} · /help for commands, Ctrl-C stops, Ctrl-D ends`)}\n`);
  if (sessionId !== undefined) await write(process.stdout, paint.dim(`going on with session ${sessionId}\n`));
}

async function converse(conversation: Conversation): Promise<void> {
  for (;;) {
    const text = await readMessage(conversation.console);
    if (text === undefined) return;
    if (text.trim() === '') continue;
    try {
      if (text.startsWith('/')) {
        if ((await runSlashCommand(conversation, text)) === 'quit') return;
        continue;
      }
      await runPrompt(conversation, text);
    } catch (error) {
      await reportError(error);
    }
  }
}

/** One message; a line that ends with a backslash goes on. Undefined at the end of input. */
async function readMessage(console: Console): Promise<string | undefined> {
  const lines: string[] = [];
  for (;;) {
    const line = await console.ask(lines.length === 0 ? '\n> ' : '… ');
    if (line === undefined) return undefined;
    lines.push(line);
    if (!line.endsWith('\\')) return lines.join('\n');
    lines[lines.length - 1] = line.slice(0, -1);
  }
}

async function runPrompt(conversation: Conversation, text: string): Promise<void> {
  const { runtime, base, chosen, sessionId } = conversation;
  const turn = await runtime.prompt({ ...base, ...chosen, text, ...(sessionId === undefined ? {} : { sessionId }) });
  conversation.sessionId = turn.sessionId;
  conversation.chosen = {};
  let result = await showTurn(conversation, turn);
  while (result.status === 'waiting') {
    const [open] = result.open;
    const answer = open ? await askPerson(conversation.console, open) : undefined;
    if (!answer) return notice(`waiting; answer later with: skillmint answer ${turn.sessionId}`);
    result = await showTurn(conversation, await runtime.answer({ sessionId: turn.sessionId, answer, ...(open ? { requestId: open.question.request_id } : {}) }));
  }
}

/** Shows a turn to its end. What is typed meanwhile is sent to it; commands are kept for afterwards. */
async function showTurn({ console }: Conversation, turn: RunningTurn): Promise<TurnResult> {
  const take = (line: string): boolean => {
    if (line.trim() === '' || line.startsWith('/')) return false;
    turn.steer(line).then(() => notice('taken in at the next step'), reportError).catch(reportError);
    return true;
  };
  const result = await console.during(async () => {
    const print = plainProgress(process.stdout, { text: process.stdout });
    for await (const event of turn.events) await print(event);
    return turn.result;
  }, { stop: () => turn.cancel(), take });
  if (result.error) await write(process.stdout, palette(process.stdout).red(`\n${oneLine(result.error.message)}\n`));
  else if (result.status === 'cancelled') await notice('stopped');
  if (result.status !== 'waiting') await notice(statusLine(result));
  return result;
}

function statusLine({ usage, cost_usd, status }: TurnResult): string {
  const tokens = `${usage.input + usage.cache_read + usage.cache_write} in, ${usage.output} out`;
  return `${status} · ${tokens}${cost_usd === undefined ? '' : ` · $${cost_usd.toFixed(4)}`}`;
}
