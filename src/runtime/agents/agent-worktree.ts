import fs from 'node:fs';
import path from 'node:path';
import { realOrSame } from '../../config/read-settings.ts';
import { isInside } from '../../host/paths.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { projectFolder } from '../session/project-folder.ts';
import type { Prepared } from '../session/session-binder.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import type { GitParts, Worktree } from './git-worktree.ts';
import { childState } from './own-child.ts';

/** Makes the worktree of a task of this session; a sentence where there can be none. */
export async function worktreeFor({ parts, binder }: TurnParts, state: SessionState, { prepared, taskId, signal }: { readonly prepared: Prepared; readonly taskId: string; readonly signal: AbortSignal }): Promise<Worktree | string> {
  const of = state.cwd;
  const data = realOrSame(parts.host.tree, parts.dataFolder);
  if (isInside(of, data)) return `No worktree can be made in ${of}, which holds skillmint's own data. Leave isolation out.`;
  const outer = state.add_dirs.find((folder) => isInside(folder, of));
  if (outer !== undefined) return `No worktree can be made in ${of}: the added folder ${outer} holds it, so that the agent could change it all the same. Leave isolation out.`;
  const { makeWorktree } = await import('./git-worktree.ts');
  return makeWorktree(gitParts({ parts, binder }, prepared), { of, taskId }, signal);
}

/** Takes back what was made for a task that could not begin. */
export async function discardWorktree(turns: TurnParts, prepared: Prepared, worktree: Worktree): Promise<void> {
  const { removeWorktree } = await import('./git-worktree.ts');
  await removeWorktree(gitParts(turns, prepared), worktree);
}

/** The worktree that was made for the session's own task; not one that it shares with the agent which has started it. */
export function ownWorktree({ cwd, agent, parent_run }: SessionState): Worktree | undefined {
  return agent?.worktree && parent_run && path.basename(cwd) === parent_run.task_id ? { ...agent.worktree, folder: cwd } : undefined;
}

/**
 * Looks at the worktree of a run that has ended: an unchanged one is removed, of another a line says where it lies. Undefined
 * where there is none. `outer` is the session that has started it.
 */
export async function worktreeLine(turns: TurnParts, { outer, child, prepared }: { readonly outer: SessionState; readonly child: SessionState; readonly prepared?: Prepared }): Promise<string | undefined> {
  const worktree = ownWorktree(child);
  if (!worktree || !fs.existsSync(worktree.folder)) return undefined;
  try {
    const ready = prepared ?? (await turns.binder.prepare({ cwd: projectFolder(outer), options: { ...outer.turn?.options, skills: 'none' }, needsSkills: false }));
    if (ready.sandbox.asks && !outer.unsandboxed_allowed) return `Its worktree ${worktree.folder} (branch ${worktree.branch}) stays: nothing runs here without consent.`;
    const { tidyWorktree } = await import('./git-worktree.ts');
    return await tidyWorktree(gitParts(turns, ready), worktree);
  } catch (error) {
    if (!(error instanceof SkillmintError)) throw error;
    return `Its worktree ${worktree.folder} (branch ${worktree.branch}) stays: ${error.message}`;
  }
}

/** The same for a run of which only the session is known. */
export async function worktreeOfRun(turns: TurnParts, { outer, childId, prepared }: { readonly outer: SessionState; readonly childId: string; readonly prepared: Prepared }): Promise<string | undefined> {
  return worktreeLine(turns, { outer, child: await childState(turns.binder, outer, childId), prepared });
}

function gitParts({ parts, binder }: TurnParts, prepared: Prepared): GitParts {
  return { env: parts.env, hostFor: (folders) => binder.gitHost(prepared, folders) };
}
