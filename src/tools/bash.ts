import type { CommandExit, CommandRequest, Host } from '../host/host.ts';
import type { JsonObject } from '../protocol/json.ts';
import { failed, ok } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import windowsDescription from './bash-windows.md';
import description from './bash.md';
import type { Tool, ToolContext } from './define.ts';
import { flagArgument, numberArgument, textArgument } from './input.ts';
import { outputCollector } from './output-collector.ts';
import { exceededText } from './exceeded-text.ts';
import { refusedText } from './refused-text.ts';
import { shellArgv } from './shell-command.ts';

const USUAL_TIMEOUT_MS = 120_000;
const LONGEST_TIMEOUT_MS = 600_000;
/** More output than this is cut in the middle. */
const MOST_OUTPUT_BYTES = 10 * 1024 * 1024;
/** Faces are shown this much as it comes; the result has the rest. */
const MOST_SHOWN_BYTES = 256 * 1024;

/** Runs commands. `platform` decides on the shell. */
export function bashTool(platform: Host['platform']): Tool {
  return {
    spec: {
      name: 'Bash',
      description: platform === 'win32' ? windowsDescription : description,
      input_schema: {
        type: 'object',
        properties: {
          command: { type: 'string' },
          timeout: { type: 'integer', minimum: 1, maximum: LONGEST_TIMEOUT_MS, description: 'ms, default 120000' },
          run_in_background: { type: 'boolean' },
          description: { type: 'string' },
        },
        required: ['command'],
      },
    },
    readOnly: false,
    aliases: ['bash', 'shell', 'run_shell_command'],
    argumentAliases: { cmd: 'command', script: 'command', timeout_ms: 'timeout', background: 'run_in_background', is_background: 'run_in_background' },
    needs: (input, { cwd }) => [{ action: 'command', command: textArgument(input, 'command'), cwd, ...(platform === 'win32' ? { shell: 'powershell' } as const : {}) }],
    run: async (input, context) => {
      const command = textArgument(input, 'command');
      if (command.trim() === '') return failed('The command is empty.');
      if (command.includes('\0')) return failed('The command holds a NUL character: give it without.');
      const argv = await shellArgv({ host: context.host, platform, env: context.childEnv, command });
      const request = { argv, cwd: context.cwd, env: context.childEnv };
      return flagArgument(input, 'run_in_background') ? startInBackground(command, request, context) : runToEnd(input, request, context);
    },
  };
}

function startInBackground(command: string, request: CommandRequest, context: ToolContext): ToolOutcome {
  const id = context.shells.start(context.host, command, request);
  return ok(`Started in the background as ${id}. BashOutput shows its output, KillShell ends it.`, { details: { bash_id: id, command } });
}

async function runToEnd(input: JsonObject, request: CommandRequest, context: ToolContext): Promise<ToolOutcome> {
  const { clock } = context.host;
  const timeoutMs = Math.min(numberArgument(input, 'timeout', USUAL_TIMEOUT_MS), LONGEST_TIMEOUT_MS);
  const collector = outputCollector(MOST_OUTPUT_BYTES);
  const show = liveOutput(context.emit);
  const began = clock.now();
  const running = context.host.start({
    ...request,
    onOutput: (chunk, stream) => {
      collector.add(chunk, stream);
      show(chunk, stream);
    },
  });
  const over = new AbortController();
  const limit = clock.sleep(timeoutMs, AbortSignal.any([over.signal, context.signal])).then(() => 'limit' as const);
  const first = await Promise.race([running.exit, limit]);
  over.abort('over');
  if (first === 'limit') await running.stop();
  const exit = await running.exit;
  const cause = first !== 'limit' ? 'exit' : context.signal.aborted ? 'cancelled' : 'timeout';
  const durationMs = Math.round(clock.now() - began);
  return report({ exit, cause, output: collector.text(), timeoutMs, durationMs });
}

/** Passes output on as text until there was enough of it. */
function liveOutput(emit: (text: string) => void): (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let left = MOST_SHOWN_BYTES;
  return (chunk, stream) => {
    if (left <= 0) return;
    const text = decoders[stream].decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.length;
    if (text !== '') emit(text);
    if (left <= 0) emit('\n[more output follows; it is not shown here]\n');
  };
}

function report(run: {
  readonly exit: CommandExit;
  readonly cause: 'exit' | 'timeout' | 'cancelled';
  readonly output: string;
  readonly timeoutMs: number;
  readonly durationMs: number;
}): ToolOutcome {
  const { exit, cause } = run;
  const details = { exit_code: exit.code, duration_ms: run.durationMs, timed_out: cause === 'timeout', ...(exit.refusedHosts ? { refused_hosts: exit.refusedHosts } : {}) };
  if (exit.error !== undefined) return failed(`The command could not be started: ${exit.error}`, { details });
  const output = run.output.trim() === '' ? '' : run.output.replace(/\n$/, '');
  const notes = [exceededText(exit.exceeded), refusedText(exit.refusedHosts)];
  const withOutput = (note: string): string => [output, ...notes, note].filter((part) => part !== '').join('\n');
  if (cause === 'timeout') {
    return failed(withOutput(`[Ended after its limit of ${run.timeoutMs} ms with all its processes. Give a longer timeout (at most ${LONGEST_TIMEOUT_MS}), or run_in_background.]`), { details });
  }
  if (cause === 'cancelled') return failed(withOutput('[Cancelled: the command and all its processes were ended.]'), { details });
  if (exit.code === 0) return ok(withOutput('') || '(no output)', { details });
  return failed(withOutput(exit.code === null ? `[Ended by signal ${exit.signal ?? 'unknown'}]` : `[Exit code ${exit.code}]`), { details });
}
