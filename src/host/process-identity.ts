import fs from 'node:fs';
import { systemCode } from '../protocol/errors.ts';

/** A process, told apart from all others that ever ran. */
export interface ProcessIdentity {
  /** Identifies the machine, its boot and its process namespace; process ids mean something only within one. */
  readonly machine: string;
  readonly pid: number;
  /** Tells a process from a later one with the same id. */
  readonly started: string;
}

/** The running process. */
export function currentProcess(): ProcessIdentity {
  return { machine: machineId(), pid: process.pid, started: startOf(process.pid) };
}

/**
 * False for a process of this machine that has ended. True for those of other machines, and where a process cannot be
 * told from a later one with its id: there only the time of its last sign of life can decide.
 */
export function mayBeAlive(one: ProcessIdentity): boolean {
  if (one.machine !== machineId()) return true;
  if (!processExists(one.pid)) return false;
  const started = startOf(one.pid);
  return started === '' || one.started === '' || started === one.started;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** Boot and process namespace where the system tells them, else one name for all. */
function machineId(): string {
  return `${readOr('/proc/sys/kernel/random/boot_id', process.platform)}:${linkOr('/proc/self/ns/pid')}`;
}

/** Start time of a process in clock ticks since boot (field 22 of its stat), or an empty string where there is no /proc. */
function startOf(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readOr(file: string, fallback: string): string {
  return absentAs(fallback, () => fs.readFileSync(file, 'utf8').trim());
}

function linkOr(file: string): string {
  return absentAs('', () => fs.readlinkSync(file));
}

/** What `read` gives, or `fallback` where the file or the process it speaks of is not there. */
function absentAs(fallback: string, read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(systemCode(error))) return fallback;
    throw error;
  }
}
