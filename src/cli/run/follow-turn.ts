import type { SessionEvent } from '../../protocol/events.ts';
import type { RunningTurn, TurnResult } from '../../runtime/runtime.ts';
import { exitOfTurn } from '../exit-codes.ts';
import { whenStopped } from '../interrupts.ts';
import { forReader, jsonFor, oneLine, write } from '../terminal.ts';
import { followEvents } from './follow-events.ts';
import type { IndexingStatus } from './indexing-status.ts';
import { plainProgress } from './plain-progress.ts';
import { hookLine } from './show-hook.ts';
import { waitingLine } from './waiting-line.ts';

/** What goes to standard output: the answer, one object at the end, or every event as it comes. */
export const OUTPUT_FORMS = ['text', 'json', 'stream-json'] as const;
type OutputForm = (typeof OUTPUT_FORMS)[number];

/** Prints a turn while it runs and resolves to its exit code. The turn is cancelled, and stored so, when the command is told to stop or its output cannot be written; then it rejects with the OutputFault. */
export async function followTurn(turn: RunningTurn, options: FollowOptions): Promise<number> {
  const { indexing } = options;
  const listening = whenStopped(options.stop, () => turn.cancel());
  try {
    const result = await followEvents(turn, indexing.beside(printer(options), { streams: streamsText(options) }));
    indexing.pause();
    if (!streamsText(options)) await printResult(result, options.form);
    await explain(result, options);
    indexing.resume();
    return exitOfTurn(result.status);
  } finally {
    listening();
  }
}

interface FollowOptions {
  readonly form: OutputForm;
  readonly verbose: boolean;
  /** The session is gone after this command. */
  readonly ephemeral: boolean;
  readonly indexing: IndexingStatus;
  readonly stop: AbortSignal;
}

/** A person who looks on sees the answer grow; a program gets it whole, so that a reply that was begun anew does not stand twice. */
function streamsText({ form, verbose }: Pick<FollowOptions, 'form' | 'verbose'>): boolean {
  return form === 'text' && (verbose || process.stdout.isTTY);
}

function printer(options: FollowOptions): (event: SessionEvent) => Promise<void> {
  if (options.form === 'stream-json') return (event) => write(process.stdout, `${jsonFor(process.stdout, event)}\n`);
  if (options.verbose || process.stderr.isTTY) return plainProgress(process.stderr, streamsText(options) ? { text: process.stdout } : {});
  return async (event) => {
    const line = event.type === 'warning' ? oneLine(event.message) : event.type === 'hook.completed' && event.status !== 'blocked' && event.message !== undefined ? hookLine(event) : undefined;
    if (line !== undefined) await write(process.stderr, `skillmint: ${line}\n`);
  };
}

async function printResult(result: TurnResult, form: OutputForm): Promise<void> {
  if (form === 'stream-json') return;
  if (form === 'text') {
    if (result.text !== '') await write(process.stdout, `${forReader(process.stdout, result.text)}\n`);
    return;
  }
  const { session_id, turn_id, status, text, usage, cost_usd, error, output } = result;
  await write(process.stdout, `${jsonFor(process.stdout, { session_id, turn_id, status, text, usage, ...(cost_usd === undefined ? {} : { cost_usd }), ...(error ? { error } : {}), ...(output === undefined ? {} : { output }) })}\n`);
}

/** One line on standard error about a turn that is not done. */
async function explain(result: TurnResult, { ephemeral }: FollowOptions): Promise<void> {
  if (result.error) await write(process.stderr, `skillmint: ${oneLine(result.error.message)}${ephemeral ? '' : ` (session ${result.session_id})`}\n`);
  else if (result.status === 'waiting') await write(process.stderr, `skillmint: ${waitingLine({ session_id: result.session_id, open: result.open.filter(({ agent }) => agent === undefined) }, { ephemeral })}\n`);
}
