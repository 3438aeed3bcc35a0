import { dirname } from 'node:path';
import type { ExactFile, FileStat, HostFiles } from '../host/host.ts';
import { absolutePath, displayPath, locate } from '../host/paths.ts';
import { stampOf } from '../host/stamp.ts';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { PermissionNeed } from '../protocol/permission.ts';
import { failed } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import { mostSimilar } from '../util/similar.ts';
import type { ToolContext } from './define.ts';
import type { FileLedger } from './file-ledger.ts';

/** A file or folder of a call, where it really lies. */
export interface Target {
  /** As given, made absolute. */
  readonly path: string;
  readonly realPath: string;
  /** As shown to the model: relative to the session's folder where it lies below. */
  readonly shown: string;
  /** Undefined when nothing is there. */
  readonly stat: FileStat | undefined;
  /** Works on `realPath` itself: fails where a symlink has taken its place since. */
  readonly file: ExactFile;
}

/** The permission that a path of a call needs; none when the path is impossible, as the run then fails without a look. */
export function pathNeed(action: 'read' | 'edit', given: string, cwd: string): readonly PermissionNeed[] {
  const answer = absolutePath(given, cwd);
  return 'path' in answer ? [{ action, path: answer.path }] : [];
}

/**
 * Finds the target of a call and works on it. With a ledger no other call of the same tool set touches the file
 * meanwhile. Refusals of the system become failed outcomes.
 */
export async function withTarget(
  options: { readonly given: string; readonly context: ToolContext; readonly ledger?: FileLedger },
  work: (target: Target) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { given, context, ledger } = options;
  const answer = absolutePath(given, context.cwd);
  if ('problem' in answer) return failed(`${answer.problem}.`);
  const { files } = context.host;
  const alone = (path: string, run: () => Promise<ToolOutcome>): Promise<ToolOutcome> => (ledger === undefined ? run() : ledger.exclusive(path, run));
  try {
    return await alone(answer.path, async () => {
      const { realPath } = await locate(files, answer.path);
      const decided = context.places?.find(({ path }) => path === answer.path)?.real;
      if (decided !== undefined && decided !== realPath) return failed(`${given}: another file or folder has taken its place since the call was decided on. Try again.`);
      const shown = displayPath(answer.path, context.cwd);
      const onReal = (): Promise<ToolOutcome> =>
        files.exact(realPath, async (file) => work({ path: answer.path, realPath, shown, file, stat: await file.stat() }));
      return realPath === answer.path ? onReal() : alone(realPath, onReal);
    });
  } catch (error) {
    if (error instanceof SkillmintError || isSystemError(error)) return failed(`${given}: ${messageOf(error)}.`);
    throw error;
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code);
}

/** The failure for a path where nothing is, with names that look like it. */
export async function missing(target: Target, files: HostFiles): Promise<ToolOutcome> {
  const folder = dirname(target.realPath);
  const wanted = target.realPath.slice(folder.length).replace(/^[\\/]/, '');
  const parent = await locate(files, folder);
  if (!parent.exists) return failed(`${target.shown} does not exist, nor does its folder.`);
  const names = (await files.list(folder)).map((entry) => entry.name);
  const alike = mostSimilar(wanted, names, 3);
  return failed(`${target.shown} does not exist.${alike.length > 0 ? ` Did you mean ${alike.join(', ')}?` : ''}`);
}

/** Notes a state of the file as seen by this session and gives it as the result's `details.stamps`. */
export function noteStamp(options: {
  readonly context: ToolContext;
  readonly ledger: FileLedger;
  readonly target: Target;
  readonly stat: FileStat;
}): JsonObject {
  const stamp = stampOf(options.stat);
  options.ledger.note(options.context, options.target.realPath, stamp);
  return { [options.target.realPath]: stamp };
}
