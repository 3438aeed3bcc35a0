import fs from 'node:fs';
import path from 'node:path';
import { SkillmintError, systemCode } from '../protocol/errors.ts';
import { PROTECTED_FROM_COMMANDS, PROTECTED_GIT_FILES, PROTECTED_IN_GIT, PROTECTED_IN_WORKTREE, PROTECTED_SETTINGS } from '../protocol/protected-paths.ts';
import type { Guard } from './bubblewrap-args.ts';
import { guardClaims } from './guard-claims.ts';
import { isWithin } from './places.ts';
import type { Repository, SandboxPolicy } from './policy.ts';

/** Folders that may well be empty; another empty one is the rest of a command that was cut off. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['hooks']);

/** The guards of one command, to be given back when it has ended. */
export interface HeldGuards {
  readonly guards: readonly Guard[];
  readonly release: () => void;
}

/** Keeps account of the empty folders that stand in for absent protected paths, over all commands that run at once. */
export interface GuardKeeper {
  /** Throws `sandbox_unavailable` where the settings of a root are a symlink, which a command could replace. */
  hold(policy: Pick<SandboxPolicy, 'guarded' | 'settled' | 'repositories'>): HeldGuards;
  /** Takes away what stands in these roots since a process was killed in the middle of a command. */
  tidy(roots: readonly string[]): void;
}

interface Root {
  commands: number;
  readonly standIns: Set<string>;
}

/** Makes a keeper; all commands of a process should share one. `folder` is where processes tell each other in which roots they are; see `guardClaims`. */
export function guardKeeper(folder: string): GuardKeeper {
  const claims = guardClaims(folder);
  const held = new Map<string, Root>();
  const begin = (root: string, look: typeof guardsIn): readonly Guard[] => {
    const known = held.get(root) ?? { commands: 0, standIns: new Set() };
    if (known.commands === 0) claims.begin(root);
    known.commands += 1;
    held.set(root, known);
    const guards = look(root, (place) => known.standIns.has(place));
    for (const { path: place, keep } of guards) {
      if (keep === 'harmless') makeHarmless(place);
      if (keep === 'absent' || keep === 'harmless') known.standIns.add(place);
    }
    return guards;
  };
  const end = (root: string): void => {
    const known = held.get(root);
    if (!known) return;
    known.commands -= 1;
    if (known.commands > 0) return;
    held.delete(root);
    claims.end(root, () => [...known.standIns].toReversed().forEach(removeStandIn));
  };
  const beginAll = (wanted: readonly (readonly [string, typeof guardsIn])[]): readonly Guard[] => {
    const begun: string[] = [];
    try {
      return wanted.flatMap(([root, look]) => {
        begun.push(root);
        return begin(root, look);
      });
    } catch (error) {
      begun.forEach(end);
      throw error;
    }
  };
  return {
    hold: ({ guarded, settled, repositories }) => {
      const roots = [...guarded, ...settled, ...repositories.map(({ folder }) => folder)];
      const linked = [...guarded, ...settled].map((root) => path.join(root, PROTECTED_SETTINGS)).find((place) => lookAt(place)?.isSymbolicLink());
      if (linked !== undefined) throw new SkillmintError('sandbox_unavailable', `${linked} is a symlink, which the sandbox cannot keep from being replaced; put the folder itself there`);
      const guards = beginAll([...guarded.map((root) => [root, guardsIn] as const), ...settled.map((root) => [root, settingsGuard] as const), ...repositories.map((repository) => [repository.folder, repositoryGuards(repository)] as const)]);
      let released = false;
      return {
        guards,
        release: () => {
          if (released) return;
          released = true;
          roots.forEach(end);
        },
      };
    },
    tidy: (roots) => {
      for (const root of roots.filter((one) => claims.isLeft(one))) {
        begin(root, guardsIn);
        end(root);
      }
    },
  };
}

function makeHarmless(place: string): void {
  try {
    fs.writeFileSync(place, PROTECTED_GIT_FILES[path.basename(place)] ?? '', { flag: 'wx' });
  } catch (error) {
    // Another process has made it meanwhile.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

function removeStandIn(place: string): void {
  try {
    if (isHarmless(place)) fs.unlinkSync(place);
    else fs.rmdirSync(place);
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
  if (!stat?.isDirectory() || isLeftover(git, stat)) return [...guards.flat(), ...guardOf(root, git, standsIn)];
  const inside = guardsInGit(root, git, standsIn);
  return [...guards.flat(), { path: git, keep: 'pinned' }, ...inside];
}

function settingsGuard(root: string, standsIn: (place: string) => boolean): readonly Guard[] {
  return canMakeNames(root) ? guardOf(root, path.join(root, PROTECTED_SETTINGS), standsIn) : [];
}

/** Of a repository without its folder: what is protected in it, and where the worktree says that its repository is. */
function repositoryGuards({ worktree }: Repository): typeof guardsIn {
  return (root, standsIn) => {
    const git = path.join(root, '.git');
    if (!canMakeNames(git)) return [];
    const inside = guardsInGit(root, git, standsIn);
    const entries = path.join(git, 'worktrees');
    const own = worktree === undefined ? undefined : path.join(entries, worktree);
    if (own === undefined || !lookAt(own)?.isDirectory()) return inside;
    const files = PROTECTED_IN_WORKTREE.flatMap((name) => guardOfFile(root, path.join(own, name), standsIn));
    return [...inside, { path: entries, keep: 'pinned' }, { path: own, keep: 'pinned' }, ...files];
  };
}

function guardsInGit(root: string, git: string, standsIn: (place: string) => boolean): readonly Guard[] {
  const inside = PROTECTED_IN_GIT.flatMap((name) => guardOf(root, path.join(git, name), standsIn));
  return canMakeNames(git) ? [...inside, ...Object.keys(PROTECTED_GIT_FILES).flatMap((name) => guardOfFile(root, path.join(git, name), standsIn))] : inside;
}

function guardOfFile(root: string, place: string, standsIn: (place: string) => boolean): readonly Guard[] {
  return !lookAt(place) || isHarmless(place) ? [{ path: place, keep: 'harmless' }] : guardOf(root, place, standsIn);
}

/** True for a file that says nothing, as those do that stand in for others: also where a command that was cut off has left it. */
function isHarmless(place: string): boolean {
  const says = PROTECTED_GIT_FILES[path.basename(place)];
  return says !== undefined && lookAt(place)?.isFile() === true && fs.readFileSync(place, 'utf8') === says;
}

function guardOf(root: string, place: string, standsIn: (place: string) => boolean): readonly Guard[] {
  const stat = lookAt(place);
  if (!stat || standsIn(place) || isLeftover(place, stat)) return [{ path: place, keep: 'absent' }];
  if (!stat.isSymbolicLink()) return [{ path: place, keep: 'read-only' }];
  // A mount cannot stand on a symlink: what it leads to is kept, the link itself is not.
  const real = fs.existsSync(place) ? fs.realpathSync(place) : undefined;
  return real !== undefined && isWithin(root, real) && real !== root ? [{ path: real, keep: 'read-only' }] : [];
}

function lookAt(place: string): fs.Stats | undefined {
  return fs.lstatSync(place, { throwIfNoEntry: false });
}

function isLeftover(place: string, stat: fs.Stats): boolean {
  return stat.isDirectory() && !MAY_BE_EMPTY.has(path.basename(place)) && fs.readdirSync(place).length === 0;
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
