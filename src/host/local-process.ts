import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { Readable } from 'node:stream';
import { messageOf, systemCode } from '../protocol/errors.ts';
import type { CommandExit, CommandRequest, Host, RunningCommand } from './host.ts';
import { withoutInherited } from './inherited-files.ts';
import { sleep } from './local-clock.ts';
import { groupGuard, type GroupGuard } from './local-guard.ts';
import { COMMAND_MARK, processTable, sendSignal } from './process-tree.ts';
import type { ProcessTable } from './process-tree.ts';

const GRACE_MS = 2_000;
/** How long leftovers of a command that has ended may take to end on a request. */
const LEFTOVER_GRACE_MS = 500;
/** How long pipes that somebody else holds open may delay the end of a command. */
const DRAIN_MS = 250;
const POLL_MS = 25;

/**
 * Makes what starts commands on this machine, each in a process group of its own; its environment gets one variable
 * more, the mark by which `stop` finds processes that left the group. When the program ends, what it left in its group
 * is ended too, and `exit` resolves once the output is complete; whoever holds the pipes open from outside the group
 * delays that by at most a quarter of a second.
 */
export function localCommands(): Host['start'] {
  const machine: Machine = { table: processTable(), guard: groupGuard(), files: undefined };
  return (request) => startCommand(request, machine);
}

interface Machine {
  readonly table: ProcessTable;
  /** Ends what runs when this process is killed. */
  readonly guard: GroupGuard;
  /** Found with the first command. */
  files: ReturnType<typeof withoutInherited> | undefined;
}

function startCommand(request: CommandRequest, machine: Machine): RunningCommand {
  const { table, guard } = machine;
  const mark = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const begun = guard.expect(mark);
  const started = trySpawn(request, { mark, files: (machine.files ??= withoutInherited()) });
  if ('error' in started) {
    begun();
    return { exit: Promise.resolve(notStarted(started.error)), stop: () => Promise.resolve() };
  }
  const { child } = started;
  child.stdout?.on('data', (chunk: Uint8Array) => request.onOutput?.(chunk, 'stdout'));
  child.stderr?.on('data', (chunk: Uint8Array) => request.onOutput?.(chunk, 'stderr'));
  const release = child.pid === undefined ? undefined : guard.add({ leader: child.pid, mark });
  begun();
  const exit = untilEnd(child, request, table).finally(() => release?.());
  return {
    exit,
    stop: async (graceMs = GRACE_MS) => {
      if (child.pid !== undefined) await endTree({ leader: child.pid, mark, graceMs }, table);
      await exit;
    },
  };
}

function notStarted(error: string): CommandExit {
  return { code: null, signal: null, error };
}

function trySpawn(request: CommandRequest, { mark, files }: { readonly mark: string; readonly files: NonNullable<Machine['files']> }): { readonly child: ChildProcess } | { readonly error: string } {
  const [program, ...args] = request.argv;
  if (program === undefined) return { error: 'the command is empty' };
  try {
    const child = spawn(program, args, {
      cwd: request.cwd,
      env: { ...request.env, [COMMAND_MARK]: mark },
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: files([request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']),
    });
    if (request.stdin !== undefined) feed(child, request.stdin);
    return { child };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

/** A program may end without reading its input; the broken pipe that follows is no failure of the command. */
function feed(child: ChildProcess, input: NonNullable<CommandRequest['stdin']>): void {
  const { stdin } = child;
  if (!stdin) return;
  stdin.on('error', () => stdin.destroy());
  if (typeof input === 'string' || input instanceof Uint8Array) stdin.end(input);
  else Readable.from(input).pipe(stdin);
}

async function untilEnd(child: ChildProcess, request: CommandRequest, table: ProcessTable): Promise<CommandExit> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exit = await new Promise<CommandExit>((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(notStarted(startProblem(error, request)));
    });
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  if (exit.error !== undefined) return exit;
  if (child.pid !== undefined && process.platform !== 'win32') await endLeftovers(child.pid, table);
  const drained = new AbortController();
  await Promise.race([closed, sleep(DRAIN_MS, drained.signal)]);
  drained.abort('drained');
  child.stdout?.destroy();
  child.stderr?.destroy();
  return exit;
}

function startProblem(error: Error, request: CommandRequest): string {
  if (systemCode(error) !== 'ENOENT') return messageOf(error);
  const program = `the program ${request.argv[0] ?? ''} was not found`;
  return fs.existsSync(request.cwd) ? program : `the folder ${request.cwd} does not exist`;
}

/** Almost always there are none, and the first signal says so. */
async function endLeftovers(leader: number, table: ProcessTable): Promise<void> {
  if (!sendSignal(-leader, 'SIGTERM')) return;
  const deadline = Date.now() + LEFTOVER_GRACE_MS;
  while ((await table.livingGroup(leader)).length > 0) {
    if (Date.now() > deadline) sendSignal(-leader, 'SIGKILL');
    await sleep(POLL_MS);
  }
}

async function endTree(
  tree: { readonly leader: number; readonly mark: string; readonly graceMs: number },
  table: ProcessTable,
): Promise<void> {
  if (process.platform === 'win32') return taskkill(tree.leader);
  const known = new Set<number>();
  const living = async (): Promise<readonly number[]> => {
    const pids = await table.livingTree({ ...tree, known });
    pids.forEach((pid) => known.add(pid));
    return pids;
  };
  const signalAll = async (signal: NodeJS.Signals): Promise<boolean> => (await living()).map((pid) => sendSignal(pid, signal)).includes(true);
  const deadline = Date.now() + tree.graceMs;
  await signalAll('SIGTERM');
  while (Date.now() < deadline) {
    if ((await living()).length === 0) return;
    await sleep(POLL_MS);
  }
  while (await signalAll('SIGKILL')) await sleep(POLL_MS);
}

function taskkill(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    killer.on('error', () => resolve());
    killer.on('exit', () => resolve());
  });
}
