import fs from 'node:fs';
import tty from 'node:tty';
import { SkillmintError } from '../protocol/errors.ts';
import { EXIT } from './exit-codes.ts';
import { OutputFault } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How long a command has to store its turn and to end its children. */
const PATIENCE_MS = 9_000;

/**
 * Runs a command that ends in order when it is interrupted: the first SIGINT, SIGTERM or SIGHUP aborts `stop`, upon which the
 * command cancels its turn, stores it and ends its children. After 9 s, or with a SIGINT more, the process ends at once.
 * Resolves to the exit code: that of the work, or 1 without a word when nobody reads the output of its turn any more.
 */
export async function interruptible(work: (stop: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  let patience: NodeJS.Timeout | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    if (stop.signal.aborted && signal === 'SIGINT') endAtOnce();
    patience ??= setTimeout(endAtOnce, PATIENCE_MS);
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(stop.signal);
  } catch (error) {
    if (!(error instanceof OutputFault) || !error.readerGone) throw error;
    return stop.signal.aborted ? EXIT.interrupted : EXIT.failed;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    clearTimeout(patience);
    closeDeadTerminal();
  }
}

/** At its end Node sets the terminal back to how it was; where there is none any more it would crash instead of ending with the exit code. */
function closeDeadTerminal(): void {
  for (const fd of [0, 1, 2]) {
    if (isTerminalDevice(fd) && !tty.isatty(fd)) fs.closeSync(fd);
  }
}

/** Also true for one that hung up, and for devices that never were one, which nobody misses at the end. */
function isTerminalDevice(fd: number): boolean {
  try {
    return fs.fstatSync(fd).isCharacterDevice();
  } catch {
    // It is closed.
    return false;
  }
}

/** Ends the process for somebody who does not want to wait for its end in order. */
export function endAtOnce(): never {
  closeDeadTerminal();
  process.exit(EXIT.interrupted);
}

/** @throws SkillmintError interrupted, when the command was told to stop before its turn began */
export function refuseStopped(stop: AbortSignal): void {
  if (stop.aborted) throw new SkillmintError('interrupted', 'Interrupted before the turn began; nothing was asked.');
}

/** Calls `act` when the command is told to stop, at once when it was already. The result ends that. */
export function whenStopped(stop: AbortSignal, act: () => void): () => void {
  if (stop.aborted) act();
  stop.addEventListener('abort', act, { once: true });
  return () => stop.removeEventListener('abort', act);
}
