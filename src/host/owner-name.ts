import { createHash, randomBytes } from 'node:crypto';
import { currentProcess, mayBeAlive } from './process-identity.ts';

/** How long a process of another machine may be silent before what it left counts as abandoned, in ms. */
const SILENCE_MS = 60_000;
/** How often a process shows that it is alive while it works on something long, in ms. */
export const SIGN_OF_LIFE_MS = 15_000;

const NAME = /^(?:op|claim)-(\d+)-(\d+)-([0-9a-f]{12})-[0-9a-f]{16}$/;

/** A new name for a file or folder of this process: it says who made it, so that no other file has to. */
export function ownName(prefix: 'op' | 'claim'): string {
  const { machine, pid, started } = currentProcess();
  return `${prefix}-${pid}-${started === '' ? 0 : started}-${machineMark(machine)}-${randomBytes(8).toString('hex')}`;
}

/** The process id in a name of `ownName`, or undefined for other names. */
export function pidIn(name: string): number | undefined {
  const pid = NAME.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/** True when the process that made this has ended. `seenMs` and `nowMs`: its last sign of life, and now. */
export function isAbandoned(name: string, { seenMs, nowMs }: { readonly seenMs: number; readonly nowMs: number }): boolean {
  const [, pid, started = '', mark] = NAME.exec(name) ?? [];
  if (pid === undefined) return false;
  const { machine } = currentProcess();
  if (mark !== machineMark(machine)) return nowMs - seenMs > SILENCE_MS;
  return !mayBeAlive({ machine, pid: Number(pid), started: started === '0' ? '' : started });
}

function machineMark(machine: string): string {
  return createHash('sha256').update(machine).digest('hex').slice(0, 12);
}
