import fs from 'node:fs';
import { systemCode } from '../protocol/errors.ts';
import type { Owner } from './store.ts';

/** The running process as an owner of sessions; `instance` tells its runtimes apart. */
export function currentOwner(instance: string): Owner {
  return { instance, machine: machineId(), pid: process.pid, started: startOf(process.pid) };
}

/**
 * False when the owner was a process of this machine that has ended. Of other machines, and where a process
 * cannot be told from a later one with its id, only the lease's time decides.
 */
export function ownerIsAlive(owner: Owner): boolean {
  if (owner.machine !== machineId()) return true;
  if (!processExists(owner.pid)) return false;
  const started = startOf(owner.pid);
  return started === '' || owner.started === '' || started === owner.started;
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
