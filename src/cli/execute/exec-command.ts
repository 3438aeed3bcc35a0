import { SkillmintError } from '../../protocol/errors.ts';
import { executeSkill, type SkillExecution } from '../../runtime/execute/execute-skill.ts';
import { notRun } from '../../runtime/execute/run-script.ts';
import { EXIT, exitOfError } from '../exit-codes.ts';
import { interruptible, whenStopped } from '../interrupts.ts';
import { sandboxOf } from '../run/turn-flags.ts';
import { oneLine, OutputFault, write } from '../terminal.ts';
import { asksYesOrNo, isTerminal } from '../yes-or-no.ts';
import { printExecution } from './print-execution.ts';
import { showOutput } from './show-output.ts';

const MOST_STDIN_BYTES = 64 * 1024 * 1024;

/** What `skillmint skills exec` can be told. */
export interface ExecFlags {
  readonly script?: string;
  /** Seconds. */
  readonly timeout: number;
  readonly stdin?: boolean;
  readonly sandbox?: string;
  readonly json?: boolean;
}

/** `skillmint skills exec`: resolves to the exit code. */
export function execCommand(name: string, args: readonly string[], flags: ExecFlags): Promise<number> {
  return interruptible(async (stop) => {
    const gone = new AbortController();
    const show = showOutput(() => gone.abort());
    try {
      const record = await executeSkill(name, args, {
        timeoutMs: flags.timeout * 1_000,
        signal: AbortSignal.any([stop, gone.signal]),
        onNotice: show.say,
        ...(flags.script === undefined ? {} : { script: flags.script }),
        ...(flags.stdin ? { stdin: await readInput(stop) } : {}),
        ...(flags.sandbox === undefined ? {} : { sandbox: sandboxOf(flags.sandbox) }),
        ...(flags.json ? {} : { onOutput: show.add }),
        ...(isTerminal() && !flags.json && !flags.stdin ? { consent: asksYesOrNo } : {}),
      });
      await show.end();
      if (flags.json) await printExecution(record);
      return await endOf(record, flags);
    } catch (error) {
      if (!(error instanceof SkillmintError) || error instanceof OutputFault || !flags.json) throw error;
      const record = notRun(error);
      await printExecution(record);
      return endOf(record, flags);
    }
  });
}

/** Says on standard error what a person has to know; the result is the exit code. */
async function endOf({ error, exitCode, notes = [] }: SkillExecution, { json }: ExecFlags): Promise<number> {
  for (const note of notes) await write(process.stderr, `skillmint: ${oneLine(note)}\n`);
  if (error) {
    await write(process.stderr, `skillmint: ${oneLine(error.message)}\n`);
    return exitOfError(error.code);
  }
  if (exitCode !== 0 && !json) await write(process.stderr, exitCode === null ? 'skillmint: The script was ended by a signal.\n' : `skillmint: The script ended with exit code ${exitCode}.\n`);
  return EXIT.done;
}

async function readInput(stop: AbortSignal): Promise<Uint8Array> {
  const listening = whenStopped(stop, () => process.stdin.destroy());
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of process.stdin) {
      const piece = Buffer.from(chunk);
      bytes += piece.length;
      if (bytes > MOST_STDIN_BYTES) throw new SkillmintError('invalid_argument', `Standard input holds more than ${MOST_STDIN_BYTES / 1024 / 1024} MiB. Put it into a file of the skill, or hand over less.`);
      chunks.push(piece);
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    listening();
  }
  if (stop.aborted) throw new SkillmintError('interrupted', 'Interrupted before the script was started.');
  return Buffer.concat(chunks);
}
