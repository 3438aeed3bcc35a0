import path from 'node:path';
import type { LoadedSettings } from '../../config/load-settings.ts';
import type { HookSource } from '../../hooks/fire-hooks.ts';
import { childEnvironment } from '../../host/child-environment.ts';
import type { Host } from '../../host/host.ts';
import type { Workspace } from '../../permissions/places.ts';
import type { HookEvent } from '../../protocol/hook.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { RuntimeParts } from '../parts.ts';
import { projectFolder } from '../session/project-folder.ts';
import { settingsHooks } from './settings-hooks.ts';
import { comingSkill, skillBar, type HookedSkill } from './skill-hooks.ts';

/** What decides which hooks are in force. */
export interface HookSourceParts {
  readonly parts: RuntimeParts;
  readonly state: SessionState;
  readonly settings: LoadedSettings;
  /** Runs commands as the session's turn does, in the sandbox where there is one. */
  readonly host: Host;
  /** No sandbox was settled on, so that a person has to say so before anything runs without one. */
  readonly asksForSandbox: boolean;
  /** Folders of the session. */
  readonly workspace: () => Workspace;
  /** The skill that the session is bound to, where its instructions are not in force yet. */
  readonly coming: SkillEntry | undefined;
  /** Sessions that this sub-agent works for, the nearest first: what their skills watch calls with holds for its calls, too. */
  readonly outers: readonly SessionState[];
}

/** Events of a sub-agent at which hooks of the skills run that are active where it was started. */
const FROM_OUTSIDE: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SubagentStart', 'SubagentStop']);

/**
 * The hooks in force, asked for at each event: those of settings, and those of the skills that are active at that time; of
 * one that is about to come into force those on the prompt. The former run outside the sandbox, the latter as the session's commands do; all with a scrubbed environment.
 */
export function hookSources({ parts, state, settings, host, asksForSandbox, workspace, coming, outers }: HookSourceParts): () => Promise<readonly HookSource[]> {
  const env = childEnvironment(parts.env, { CLAUDE_PROJECT_DIR: projectFolder(state) });
  const bar = skillBar(parts, workspace);
  let own: readonly HookSource[] | undefined;
  let awaited: HookedSkill | undefined;
  const barred = (skill: HookedSkill): string | undefined => {
    if (asksForSandbox && !state.unsandboxed_allowed) return `The hooks of ${skill.skill_id} run in the sandbox, and there is none in this turn.`;
    return bar(skill);
  };
  return async () => {
    own ??= (await settingsHooks(settings)).map(({ layer, hooks }): HookSource => ({ id: `settings:${layer}`, kind: 'person', hooks, host: parts.host, env }));
    if (coming && !state.skills.has(coming.id)) awaited ??= await comingSkill(parts, coming, workspace);
    const isAwaited = awaited && !state.skills.has(awaited.skill_id);
    const skills = [...outers.flatMap(watchingSkills), ...state.skills.values(), ...(awaited && isAwaited ? [awaited] : [])].flatMap((skill): HookSource[] => {
      if (!skill.hooks) return [];
      const folders = { SKILL_DIR: skill.folder, CLAUDE_SKILL_DIR: skill.folder, CLAUDE_PLUGIN_ROOT: pluginRoot(skill) };
      return [{ id: skill.skill_id, kind: 'skill', hooks: skill.hooks, folder: skill.folder, host, env: { ...env, ...folders }, barred: () => barred(skill) }];
    });
    return [...own, ...skills];
  };
}

function watchingSkills({ skills }: SessionState): readonly HookedSkill[] {
  return [...skills.values()].map(({ skill_id, folder, hooks = [] }) => ({ skill_id, folder, hooks: hooks.filter(({ event }) => FROM_OUTSIDE.has(event)) }));
}

/** A plugin keeps its skills in `skills/NAME`; other skills are a root of their own. */
function pluginRoot({ skill_id, folder }: HookedSkill): string {
  const parent = path.dirname(folder);
  return skill_id.startsWith('plugin:') && path.basename(parent) === 'skills' ? path.dirname(parent) : folder;
}
