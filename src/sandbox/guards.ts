import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../protocol/errors.ts';
import { PROTECTED_FROM_COMMANDS, PROTECTED_IN_GIT } from '../protocol/protected-paths.ts';
import type { Guard } from './bubblewrap-args.ts';
import { isWithin } from './places.ts';

/** Names that are files where they exist: an empty folder there is the rest of a command that was cut off. */
const FILE_NAMES: ReadonlySet<string> = new Set(PROTECTED_FROM_COMMANDS.filter((name) => /json|rc$|profile$|env$/.test(name)));

/** The guards of one command, to be given back when it has ended. */
export interface HeldGuards {
  readonly guards: readonly Guard[];
  readonly release: () => void;
}

/** Keeps account of the empty folders that stand in for absent protected paths, over all commands that run at once. */
export interface GuardKeeper {
  hold(roots: readonly string[]): HeldGuards;
}

/** Makes a keeper; all commands of a process should share one. */
export function guardKeeper(): GuardKeeper {
  const held = new Map<string, number>();
  return {
    hold: (roots) => {
      const guards = roots.flatMap((root) => guardsIn(root, (place) => held.has(place)));
      const absent = guards.filter((guard) => guard.keep === 'absent').map((guard) => guard.path);
      for (const place of absent) held.set(place, (held.get(place) ?? 0) + 1);
      let released = false;
      return {
        guards,
        release: () => {
          if (released) return;
          released = true;
          for (const place of absent.toReversed()) giveBack(held, place);
        },
      };
    },
  };
}

function giveBack(held: Map<string, number>, place: string): void {
  const left = (held.get(place) ?? 1) - 1;
  if (left > 0) {
    held.set(place, left);
    return;
  }
  held.delete(place);
  try {
    fs.rmdirSync(place);
  } catch (error) {
    // It was never made because the command could not start, or somebody else put something in its place: that stays.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCode(error))) throw error;
  }
}

/** What becomes of the protected paths of one folder as they are now; `standsIn` tells a stand-in from a folder of the person. */
export function guardsIn(root: string, standsIn: (place: string) => boolean): readonly Guard[] {
  if (!canMakeNames(root)) return [];
  const guards = PROTECTED_FROM_COMMANDS.map((name) => guardOf(root, path.join(root, name), standsIn));
  const git = path.join(root, '.git');
  const stat = standsIn(git) ? undefined : lookAt(git);
  if (!stat?.isDirectory()) return [...guards.flat(), ...guardOf(root, git, standsIn)];
  const inside = PROTECTED_IN_GIT.flatMap((name) => guardOf(root, path.join(git, name), standsIn));
  return [...guards.flat(), { path: git, keep: 'pinned' }, ...inside];
}

function guardOf(root: string, place: string, standsIn: (place: string) => boolean): readonly Guard[] {
  const stat = lookAt(place);
  if (!stat || standsIn(place) || (stat.isDirectory() && FILE_NAMES.has(path.basename(place)) && isEmpty(place))) return [{ path: place, keep: 'absent' }];
  if (!stat.isSymbolicLink()) return [{ path: place, keep: 'read-only' }];
  // A mount cannot stand on a symlink: what it leads to is kept, the link itself is not.
  const real = fs.existsSync(place) ? fs.realpathSync(place) : undefined;
  return real !== undefined && isWithin(root, real) && real !== root ? [{ path: real, keep: 'read-only' }] : [];
}

function lookAt(place: string): fs.Stats | undefined {
  return fs.lstatSync(place, { throwIfNoEntry: false });
}

function isEmpty(folder: string): boolean {
  return fs.readdirSync(folder).length === 0;
}

/** Where nothing can be made, nothing has to be kept from being made. */
function canMakeNames(root: string): boolean {
  try {
    fs.accessSync(root, fs.constants.W_OK);
    return true;
  } catch (error) {
    if (['EACCES', 'EROFS', 'EPERM'].includes(systemCode(error))) return false;
    throw error;
  }
}
