import type { CommandExit, CommandRequest, Host } from '../../host/host.ts';
import type { ExecutionRecord } from '../../protocol/execution.ts';
import { messageOf, type SkillmintError } from '../../protocol/errors.ts';
import { exceededText } from '../../tools/exceeded-text.ts';
import { never } from '../../util/never.ts';
import { boundedOutput, type BoundedOutput } from './bounded-output.ts';

/** Most bytes of output, both streams together. */
const MOST_OUTPUT_BYTES = 10 * 1024 * 1024;
/** What a script that is told to end has for it, ms. */
const GRACE_MS = 500;
/** Exit code of a script that was ended at its limit of time, as the program `timeout` has it. */
const TIMED_OUT = 124;

/** The record of a script that was not started. */
export function notRun({ code, message }: SkillmintError): ExecutionRecord {
  return { stdout: '', stderr: '', exitCode: null, durationMs: 0, timedOut: false, truncated: false, error: { code, message } };
}

/** A script that is ready to start. */
export interface ScriptRun extends Pick<CommandRequest, 'argv' | 'cwd' | 'env' | 'stdin'> {
  /** For messages. */
  readonly name: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Is given what is kept of the output as it comes. */
  readonly onOutput?: NonNullable<CommandRequest['onOutput']>;
}

/** Runs a script to its end or a limit; at a limit, and when the signal aborts, it ends with everything that it started. */
export async function runScript(host: Pick<Host, 'start' | 'clock'>, script: ScriptRun): Promise<ExecutionRecord> {
  const { argv, cwd, env, stdin, signal } = script;
  const full = new AbortController();
  const output = boundedOutput(MOST_OUTPUT_BYTES, () => full.abort());
  const began = host.clock.now();
  const ended = (exit: CommandExit, cause: Cause): ExecutionRecord => recordOf(script, { exit, output, cause, durationMs: Math.round(host.clock.now() - began) });
  const notStarted = (error: string): ExecutionRecord => ended({ code: null, signal: null, error }, 'exit');
  if (signal.aborted) return ended({ code: null, signal: null }, 'interrupted');
  const request: CommandRequest = {
    argv, cwd, env,
    ...(stdin === undefined ? {} : { stdin }),
    onOutput: (chunk, stream) => {
      const kept = output.add(chunk, stream);
      if (kept.length > 0) script.onOutput?.(kept, stream);
    },
  };
  const running = attempt(() => host.start(request));
  if ('problem' in running) return notStarted(running.problem);
  const over = new AbortController();
  const limit = host.clock.sleep(script.timeoutMs, AbortSignal.any([over.signal, signal, full.signal])).then(() => 'limit' as const);
  const first = await Promise.race([running.value.exit, limit]);
  over.abort();
  const cause = first !== 'limit' ? 'exit' : signal.aborted ? 'interrupted' : full.signal.aborted ? 'output' : 'time';
  if (cause !== 'exit') await running.value.stop(cause === 'output' ? 0 : GRACE_MS);
  const exit = await running.value.exit;
  // It may have ended by itself in the moment in which there was too much.
  return ended(exit, cause === 'exit' && output.isCut() ? 'output' : cause);
}

type Cause = 'exit' | 'interrupted' | 'output' | 'time';

function attempt<T>(act: () => T): { readonly value: T } | { readonly problem: string } {
  try {
    return { value: act() };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function recordOf(script: ScriptRun, { exit, output, cause, durationMs }: { readonly exit: CommandExit; readonly output: BoundedOutput; readonly cause: Cause; readonly durationMs: number }): ExecutionRecord {
  const error = errorOf(script, exit, cause);
  return {
    stdout: output.text('stdout'),
    stderr: output.text('stderr'),
    exitCode: cause === 'time' ? TIMED_OUT : cause === 'exit' && exit.error === undefined ? exit.code : null,
    durationMs,
    timedOut: cause === 'time',
    truncated: output.isCut(),
    ...notesOf(exit),
    ...(error === undefined ? {} : { error }),
  };
}

function notesOf({ exceeded, refusedHosts = [] }: CommandExit): Pick<ExecutionRecord, 'notes'> {
  const stopped = exceededText(exceeded);
  const notes = [...(stopped === '' ? [] : [stopped]), ...refusedHosts.map((host) => `[The sandbox gives it no way to ${host}. The permission rule Network(${host}) of the settings would.]`)];
  return notes.length === 0 ? {} : { notes };
}

function errorOf({ name, timeoutMs }: ScriptRun, exit: CommandExit, cause: Cause): ExecutionRecord['error'] {
  switch (cause) {
    case 'time': return { code: 'timeout', message: `${name} ran longer than its ${timeoutMs / 1_000} s and was ended with everything that it had started. Give it more time with --timeout.` };
    case 'output': return { code: 'output_limit', message: `${name} printed more than ${MOST_OUTPUT_BYTES / 1024 / 1024} MiB and was ended; what came before was kept. Let it write to a file, or print less.` };
    case 'interrupted': return { code: 'interrupted', message: `${name} was interrupted and ended with everything that it had started.` };
    case 'exit': return exit.error === undefined ? undefined : { code: 'spawn_failed', message: `${name} could not be started: ${exit.error}.` };
    default: return never(cause);
  }
}
