import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isAbandoned, ownName } from '../host/owner-name.ts';
import { SkillmintError, systemCode } from '../protocol/errors.ts';

/** Of processes that cannot be seen from here, such as those of another container, ms. */
const LONGEST_SILENCE_MS = 24 * 3_600_000;
const PATIENCE = { tries: 2_000, pauseMs: 1 };
const WORKS = 'op-';
const REMOVES = 'claim-';

/**
 * Which processes run commands in a folder. A stand-in that one of them takes away would be gone for the commands of all others,
 * and with it the mount that lies on it: so only the last one may.
 */
export interface GuardClaims {
  /** Says that this process begins; waits for one that is taking stand-ins away just now. Throws `io` when that does not end. */
  begin(root: string): void;
  /** Says that it has ended, and calls `remove` when it was the last. */
  end(root: string, remove: () => void): void;
}

/**
 * Claims are empty files in a folder of the product's own, made when missing; their names say who made them. Who begins writes
 * its claim and then looks for one that removes; who removes says so and then looks for claims: of two at once, one sees the other.
 */
export function guardClaims(folder: string): GuardClaims {
  let names: { readonly works: string; readonly removes: string } | undefined;
  const own = (): NonNullable<typeof names> => (names ??= { works: ownName('op'), removes: ownName('claim') });
  const placeOf = (root: string): string => path.join(folder, createHash('sha256').update(root).digest('hex').slice(0, 16));
  return {
    begin: (root) => {
      const place = placeOf(root);
      write(place, own().works);
      for (let left = PATIENCE.tries; living(place, REMOVES).length > 0; left--) {
        if (left === 0) throw new SkillmintError('io', `Another process does not end with what it does in ${root}. End it, or try again.`);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PATIENCE.pauseMs);
      }
    },
    end: (root, remove) => {
      const place = placeOf(root);
      write(place, own().removes);
      try {
        fs.rmSync(path.join(place, own().works), { force: true });
        if (living(place, WORKS).length === 0) remove();
      } finally {
        fs.rmSync(path.join(place, own().removes), { force: true });
        leave(place);
      }
    },
  };
}

/** The folder may go while the file is made: the last one there removes it. */
function write(place: string, name: string): void {
  for (;;) {
    fs.mkdirSync(place, { recursive: true, mode: 0o700 });
    try {
      return fs.closeSync(fs.openSync(path.join(place, name), 'w', 0o600));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }
}

/** Claims of processes that have not ended; those of others are removed. */
function living(place: string, prefix: string): readonly string[] {
  return fs.readdirSync(place).filter((name) => name.startsWith(prefix) && !removeAbandoned(path.join(place, name)));
}

function removeAbandoned(file: string): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return true;
  const abandoned = isAbandoned(path.basename(file), { seenMs: stat.mtimeMs + LONGEST_SILENCE_MS, nowMs: Date.now() });
  if (abandoned) fs.rmSync(file, { force: true });
  return abandoned;
}

function leave(place: string): void {
  try {
    fs.rmdirSync(place);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(error))) throw error;
  }
}
