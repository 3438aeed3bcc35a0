import type { SessionEvent } from '../../protocol/events.ts';
import type { RunningTurn, TurnResult } from '../../runtime/runtime.ts';
import { exitOfTurn } from '../exit-codes.ts';
import { oneLine, write } from '../terminal.ts';
import { plainProgress } from './plain-progress.ts';

/** What goes to standard output: the answer, one object at the end, or every event as it comes. */
export const OUTPUT_FORMS = ['text', 'json', 'stream-json'] as const;
type OutputForm = (typeof OUTPUT_FORMS)[number];

const INTERRUPT_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Prints a turn while it runs and resolves to its exit code. An interrupt stops the turn, which is then stored. */
export async function followTurn(turn: RunningTurn, options: FollowOptions): Promise<number> {
  const stop = (): void => turn.cancel();
  for (const signal of INTERRUPT_SIGNALS) process.on(signal, stop);
  try {
    const print = printer(options);
    for await (const event of turn.events) await print(event);
    const result = await turn.result;
    if (!streamsText(options)) await printResult(result, options.form);
    await explain(result);
    return exitOfTurn(result.status);
  } finally {
    for (const signal of INTERRUPT_SIGNALS) process.off(signal, stop);
  }
}

interface FollowOptions {
  readonly form: OutputForm;
  readonly verbose: boolean;
}

/** A person who looks on sees the answer grow; a program gets it whole, so that a reply that was begun anew does not stand twice. */
function streamsText({ form, verbose }: FollowOptions): boolean {
  return form === 'text' && (verbose || process.stdout.isTTY);
}

function printer(options: FollowOptions): (event: SessionEvent) => Promise<void> {
  if (options.form === 'stream-json') return (event) => write(process.stdout, `${JSON.stringify(event)}\n`);
  if (options.verbose || process.stderr.isTTY) return plainProgress(process.stderr, streamsText(options) ? { text: process.stdout } : {});
  return async (event) => {
    if (event.type === 'warning') await write(process.stderr, `skillmint: ${oneLine(event.message)}\n`);
  };
}

async function printResult(result: TurnResult, form: OutputForm): Promise<void> {
  if (form === 'stream-json') return;
  if (form === 'text') {
    if (result.text !== '') await write(process.stdout, `${result.text}\n`);
    return;
  }
  const { session_id, turn_id, status, text, usage, cost_usd, error, output } = result;
  await write(process.stdout, `${JSON.stringify({ session_id, turn_id, status, text, usage, ...(cost_usd === undefined ? {} : { cost_usd }), ...(error ? { error } : {}), ...(output === undefined ? {} : { output }) })}\n`);
}

/** One line on standard error about a turn that is not done. */
async function explain(result: TurnResult): Promise<void> {
  if (result.error) await write(process.stderr, `skillmint: ${oneLine(result.error.message)} (session ${result.session_id})\n`);
  else if (result.status === 'waiting') await write(process.stderr, `skillmint: ${waitingLine(result)}\n`);
}

function waitingLine(result: TurnResult): string {
  const [first] = result.open;
  const more = result.open.length > 1 ? ` (and ${result.open.length - 1} more)` : '';
  if (first?.question.kind === 'question') return `Session ${result.session_id} asks${more}: ${oneLine(first.question.question)} Answer with: skillmint answer ${result.session_id} "TEXT"`;
  const what = first ? `${first.call.tool} ${oneLine(JSON.stringify(first.call.input)).slice(0, 120)}` : 'a call';
  return `Session ${result.session_id} waits for consent${more}: ${what}. Answer with: skillmint answer ${result.session_id} --allow | --always | --deny`;
}
