import type { Row } from '../store/database.ts';
import type { SessionRow } from './session-rows.ts';
import type { Owner } from './store.ts';

/** A lease that was not renewed for so many ms may be taken by another process. */
export const LEASE_MS = 30_000;

/** What it takes to tell whether an owner still holds what it has. */
export interface OwnerChecks {
  /** ms since 1970. */
  readonly now: () => number;
  /** False once the process is known to be gone. */
  readonly isAlive: (owner: Owner) => boolean;
}

/** The owner whose lease in the row still holds. */
export function liveOwner({ now, isAlive }: OwnerChecks, row: Row): Owner | undefined {
  const owner = ownerOf(row);
  return owner && Number(row['lease_until']) > now() && isAlive(owner) ? owner : undefined;
}

/** True for the same runtime of the same process. */
export function isSame(a: Owner, b: Owner): boolean {
  return a.instance === b.instance && a.machine === b.machine && a.pid === b.pid && a.started === b.started;
}

/** The owner that the row names, whether or not its lease holds. */
export function ownerOf(row: SessionRow): Owner | undefined {
  if (row['owner_pid'] === null || row['owner_pid'] === undefined) return undefined;
  return { instance: String(row['owner_instance']), machine: String(row['owner_machine']), pid: Number(row['owner_pid']), started: String(row['owner_started']) };
}
