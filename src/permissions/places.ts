import { PROTECTED_NAMES } from '../protocol/protected-paths.ts';
import { isWithin, segmentsOf } from './path-pattern.ts';

/** A path of a call and where it really lies, all symlinks followed; found out by the caller. */
export interface LocatedPath {
  readonly path: string;
  readonly real: string;
}

/** Folders that a session may use. All paths real and absolute. */
export interface Workspace {
  /** The session's folder first, then added ones. */
  readonly roots: readonly string[];
  /** Folders that may be read, too: those of active skills, the session's output folder. */
  readonly readableRoots: readonly string[];
  readonly home: string;
  /** The folder that the session's is a worktree of. Nothing in it may be changed, but whoever has started the session may. */
  readonly copyOf?: string;
  /** Folders that count as outside although they lie in the workspace: the product's own data with its keys. */
  readonly closed?: readonly string[];
  /** No answer and no mode lets tools read or change files elsewhere: the person is one of several users of a server. */
  readonly confined?: boolean;
}

/** Folders in which an agent may change files, so that what lies there is not the person's own. */
export function changeable({ roots, copyOf }: Workspace): readonly string[] {
  return copyOf === undefined ? roots : [...roots, copyOf];
}

/** What is known of a path that a call wants. */
export interface Place {
  /** As the call names it. */
  readonly path: string;
  /** Undefined when the caller could not find it out: such a path counts as outside. */
  readonly real: string | undefined;
  readonly inRoots: boolean;
  readonly readable: boolean;
  /** A folder below which something lies that counts as outside. */
  readonly holdsClosed: boolean;
  /** The protected name that the path goes through in the workspace. */
  readonly protectedName: string | undefined;
}

/** Says where a path lies. Roots count by segment and by the real path alone. */
export function placeOf(path: string, { locate, workspace }: { readonly locate: readonly LocatedPath[]; readonly workspace: Workspace }): Place {
  const real = locate.find((one) => one.path === path)?.real;
  const { roots, closed = [] } = workspace;
  const isClosed = (root: string, inner: string): boolean => closed.some((folder) => isWithin(root, folder) && isWithin(folder, inner));
  const inRoots = real !== undefined && roots.some((root) => isWithin(root, real) && !isClosed(root, real));
  const readable = inRoots || (real !== undefined && workspace.readableRoots.some((root) => isWithin(root, real)));
  const protectedName = protectedIn(real ?? path, changeable(workspace)) ?? protectedIn(path, changeable(workspace));
  const holdsClosed = real !== undefined && closed.some((folder) => isWithin(real, folder));
  return { path, real, inRoots, readable, holdsClosed, protectedName };
}

function protectedIn(path: string, roots: readonly string[]): string | undefined {
  const root = roots.find((one) => isWithin(one, path));
  if (root === undefined) return undefined;
  const below = segmentsOf(path).slice(segmentsOf(root).length);
  return PROTECTED_NAMES.find((name) => below.some((segment) => segment.toLowerCase() === name));
}
