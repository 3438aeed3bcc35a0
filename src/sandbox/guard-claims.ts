import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isAbandoned, ownName } from '../host/owner-name.ts';
import { SkillmintError, systemCode } from '../protocol/errors.ts';

/** Of processes that cannot be seen from here, such as those of another container, ms. */
const LONGEST_SILENCE_MS = 24 * 3_600_000;
const PATIENCE = { tries: 2_000, pauseMs: 1 };

/**
 * Which processes run commands in a folder. A stand-in that one of them takes away would be gone for the commands of all others,
 * and with it the mount that lies on it: so only the last one may.
 */
export interface GuardClaims {
  /** Says that this process begins; waits for one that is taking stand-ins away just now. Throws `io` when that does not end. */
  begin(root: string): void;
  /** Says that it has ended, and calls `remove` when it was the last. */
  end(root: string, remove: () => void): void;
  /** Whether somebody began there who was killed before the end. */
  isLeft(root: string): boolean;
}

/**
 * Claims are empty files in a folder of the product's own, made when missing; their names say for which root and by whom. Who begins
 * writes its claim and then looks for one that removes; who removes renames its own and then looks for claims: of two at once, one
 * sees the other.
 */
export function guardClaims(folder: string): GuardClaims {
  let own: { readonly works: string; readonly removes: string } | undefined;
  const files = (root: string): { readonly mark: string; readonly works: string; readonly removes: string } => {
    own ??= { works: ownName('op'), removes: ownName('claim') };
    const mark = `${createHash('sha256').update(root).digest('hex').slice(0, 16)}-`;
    return { mark, works: path.join(folder, mark + own.works), removes: path.join(folder, mark + own.removes) };
  };
  return {
    begin: (root) => {
      const { mark, works } = files(root);
      write(works);
      for (let left = PATIENCE.tries; isClaimed(folder, `${mark}claim-`); left--) {
        if (left === 0) throw new SkillmintError('io', `Another process does not end with what it does in ${root}. End it, or try again.`);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PATIENCE.pauseMs);
      }
    },
    end: (root, remove) => {
      const { mark, works, removes } = files(root);
      rename(works, removes);
      try {
        if (!isClaimed(folder, `${mark}op-`)) remove();
      } finally {
        fs.unlinkSync(removes);
      }
    },
    isLeft: (root) => {
      const { mark } = files(root);
      return namesIn(folder).some((name) => name.startsWith(mark) && isLeft(folder, name));
    },
  };
}

function write(file: string): void {
  try {
    fs.closeSync(fs.openSync(file, 'w', 0o600));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.closeSync(fs.openSync(file, 'w', 0o600));
  }
}

function rename(from: string, to: string): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    // Somebody has cleared the folder.
    if (systemCode(error) !== 'ENOENT') throw error;
    write(to);
  }
}

/** Whether a process that has not ended has a claim whose name begins so; those of others are removed. */
function isClaimed(folder: string, beginning: string): boolean {
  return fs.readdirSync(folder).filter((name) => name.startsWith(beginning) && !removeAbandoned(folder, name)).length > 0;
}

function removeAbandoned(folder: string, name: string): boolean {
  const abandoned = isLeft(folder, name);
  if (abandoned) fs.rmSync(path.join(folder, name), { force: true });
  return abandoned;
}

/** Whether the process whose claim this is has ended. */
function isLeft(folder: string, name: string): boolean {
  const stat = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false });
  return !stat || isAbandoned(name.slice(name.indexOf('-') + 1), { seenMs: stat.mtimeMs + LONGEST_SILENCE_MS, nowMs: Date.now() });
}

function namesIn(folder: string): readonly string[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}
