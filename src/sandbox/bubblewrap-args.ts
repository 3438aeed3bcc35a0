import { never } from '../util/never.ts';
import { isWithin } from './places.ts';
import type { SandboxPolicy } from './policy.ts';

/** What becomes of one protected path during one command. */
export interface Guard {
  readonly path: string;
  /**
   * `read-only`: it is there and stays as it is. `pinned`: a folder that cannot be moved away, its content can be changed.
   * `harmless`: a file that is not there and cannot be made; one that says nothing stands in its place, and was made before.
   * `absent`: it is not there and cannot be made; an empty folder that cannot be written stands in its place meanwhile.
   */
  readonly keep: 'read-only' | 'pinned' | 'harmless' | 'absent';
}

/** What bubblewrap is to run. */
export interface BubblewrapCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly guards: readonly Guard[];
  /** False for versions of bubblewrap that cannot forbid nested user namespaces. */
  readonly forbidNested: boolean;
  /** bubblewrap is started in the network that the command is to have; else it makes one. */
  readonly inNetwork?: boolean;
}

/** One mount; those of outer folders have to come before those of inner ones. */
interface Mount {
  readonly target: string;
  readonly args: readonly string[];
}

/**
 * The arguments of bubblewrap for a command, without the program itself. The root is empty but for what is named here:
 * no sockets in /run or /tmp, no home, no settings. Nothing sets the environment: it is that of the process that
 * starts bubblewrap, since that one can be read inside as /proc/1/environ whatever bubblewrap clears.
 */
export function bubblewrapArgs(policy: SandboxPolicy, command: BubblewrapCommand): readonly string[] {
  const mounts: readonly Mount[] = [
    ...homeMounts(policy),
    ...policy.readable.map((path) => ({ target: path, args: ['--ro-bind-try', path, path] })),
    ...pins(policy),
    ...policy.writable.map((path) => ({ target: path, args: ['--bind', path, path] })),
    ...policy.files.map(({ source, target }) => ({ target, args: ['--ro-bind', source, target] })),
    ...policy.hidden.map(({ path, kind }) => ({ target: path, args: kind === 'folder' ? emptyFolder(path) : ['--ro-bind', '/dev/null', path] })),
    ...command.guards.filter((guard) => !isHidden(policy, guard.path)).map((guard) => ({ target: guard.path, args: guardArgs(guard) })),
  ];
  // Closed last, since folders in them may have to be made for what lies deeper.
  const closed = [...(policy.emptyHome ? [policy.home] : []), '/'];
  return [
    '--unshare-all', ...(command.inNetwork === true ? ['--share-net'] : []), '--unshare-user', ...(command.forbidNested ? ['--disable-userns'] : []),
    '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox',
    '--proc', '/proc', '--dev', '/dev',
    ...policy.system.folders.flatMap((path) => ['--ro-bind-try', path, path]),
    ...policy.system.links.flatMap(({ target, path }) => ['--symlink', target, path]),
    ...(policy.temporary === undefined ? ['--perms', '1777', '--tmpfs', '/tmp'] : ['--bind', policy.temporary, '/tmp']),
    '--dir', '/run', '--dir', '/var', '--symlink', '/run', '/var/run', ...varTmp(mounts),
    ...outerFirst(mounts).flatMap((mount) => mount.args),
    ...closed.flatMap((path) => ['--remount-ro', path]),
    '--chdir', command.cwd, '--', ...command.argv,
  ];
}

/** /var/tmp is the private /tmp, unless something of the session lies in it and has to be mounted there. */
function varTmp(mounts: readonly Mount[]): readonly string[] {
  return mounts.some(({ target }) => isWithin('/var/tmp', target)) ? ['--dir', '/var/tmp'] : ['--symlink', '/tmp', '/var/tmp'];
}

function homeMounts(policy: SandboxPolicy): readonly Mount[] {
  return policy.emptyHome ? [{ target: policy.home, args: ['--perms', '0755', '--tmpfs', policy.home] }] : [];
}

/**
 * Folders on the way from a folder that may be changed to a place in it that is hidden, read-only or guarded. As mounts of their
 * own they cannot be moved away together with what lies in them.
 */
function pins(policy: SandboxPolicy): readonly Mount[] {
  const places = [...policy.readable, ...policy.hidden.map((hidden) => hidden.path), ...policy.files.map((file) => file.target)];
  const between = policy.writable.flatMap((folder) => [...places.map((place) => place.slice(0, place.lastIndexOf('/'))), ...policy.guarded, ...policy.settled].flatMap((place) => waysTo(place, folder)));
  return [...new Set(between)].filter((path) => !isHidden(policy, path)).map((path) => ({ target: path, args: ['--bind', path, path] }));
}

/** The folders below `from` down to `place` itself. */
function waysTo(place: string, from: string): readonly string[] {
  if (!place.startsWith(`${from}/`)) return [];
  const names = place.slice(from.length + 1).split('/');
  return names.map((_, index) => `${from}/${names.slice(0, index + 1).join('/')}`);
}

function isHidden(policy: SandboxPolicy, path: string): boolean {
  return policy.hidden.some((hidden) => isWithin(hidden.path, path));
}

/** Cannot be written as it is, and what a command makes in it all the same is gone with the command; a remount costs 0.2 ms each. */
function emptyFolder(path: string): readonly string[] {
  return ['--perms', '0555', '--tmpfs', path];
}

function guardArgs({ path, keep }: Guard): readonly string[] {
  switch (keep) {
    case 'read-only': case 'harmless': return ['--ro-bind', path, path];
    case 'pinned': return ['--bind', path, path];
    case 'absent': return emptyFolder(path);
    default: return never(keep);
  }
}

/** By depth; equally deep ones keep their order, so that what hides comes after what shows. */
function outerFirst(mounts: readonly Mount[]): readonly Mount[] {
  const depth = ({ target }: Mount): number => target.split('/').length;
  return mounts.toSorted((a, b) => depth(a) - depth(b));
}
