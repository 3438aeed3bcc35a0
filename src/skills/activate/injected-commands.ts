import { never } from '../../util/never.ts';
import { cut } from './plain-line.ts';

/** A command of a skill, ready to run. `shell` is what the skill's field `shell` says. */
export interface InjectedCommand {
  readonly command: string;
  readonly shell: string | undefined;
}

/**
 * What came of a command: its end with all output, or why it has none (`why` as in "still running after 2 minutes"), or
 * why it was not started (`why` as in "a rule denies it").
 */
export type CommandOutcome =
  | { readonly kind: 'exited'; readonly code: number; readonly output: string }
  | { readonly kind: 'failed'; readonly why: string; readonly output: string }
  | { readonly kind: 'refused'; readonly why: string };

/** A stretch of a body on its way to the model: finished text, or a command whose output takes its place, with `end` behind it. */
export type InjectionPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly command: InjectedCommand; readonly end: string };

const MOST_OUTPUT = 30_000;
const MOST_OF_FAILURE = 500;
/** Exit status 1 of these says that nothing was found or that something differs. */
const COMPARING = /(?:^|[|;&]\s*)(?:e?grep|fgrep|rg|diff|cmp|git\s+(?:diff|grep))\b[^|;&]*$/;

/** Runs the commands one after another, in their order, and puts what came of each where it stood. What is put in is never looked at again. */
export async function injectCommands(pieces: readonly InjectionPiece[], run: (command: InjectedCommand) => Promise<CommandOutcome>): Promise<string> {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text;
    else text += outcomeText(piece.command.command, await run(piece.command)) + piece.end;
  }
  return text;
}

/** What stands in place of a command that was not started. */
export function notRun(why: string): string {
  return `[command not run: ${why}]`;
}

function outcomeText(command: string, outcome: CommandOutcome): string {
  switch (outcome.kind) {
    case 'exited': {
      const fine = outcome.code === 0 || (outcome.code === 1 && COMPARING.test(command));
      return fine ? shortened(outcome.output.trimEnd()) : failureText(`exit ${outcome.code}`, outcome.output);
    }
    case 'failed': return failureText(outcome.why, outcome.output);
    case 'refused': return notRun(outcome.why);
    default: return never(outcome);
  }
}

function shortened(output: string): string {
  return output.length <= MOST_OUTPUT ? output : `${output.slice(0, MOST_OUTPUT)}\n[the output goes on for ${output.length - MOST_OUTPUT} characters]`;
}

function failureText(why: string, output: string): string {
  const said = cut(output.trim().replace(/\s+/g, ' '), MOST_OF_FAILURE);
  return `[command failed: ${why}${said === '' ? '' : `; ${said}`}]`;
}
