import path from 'node:path';
import type { LoadedSettings } from '../../config/load-settings.ts';
import { realOrSame } from '../../config/read-settings.ts';
import type { SandboxGuard } from '../permissions/sandbox-guard.ts';
import type { SkillTrust } from '../../skills/trust/trust-store.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { RuntimeParts } from '../parts.ts';
import { SessionBinder } from '../session/session-binder.ts';
import { skillViews } from '../skills/skill-views.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import type { SkillCopy } from './evaluation-folder.ts';

/** The skills of an arm, and nothing beside. */
export interface ArmSkills {
  /** Undefined for the arm without it. */
  readonly skill: SkillCopy | undefined;
  readonly crowd: readonly SkillEntry[];
}

/** A runtime whose sessions see the skills of one arm alone; all else is that of the runtime it was made from. */
export interface ArmRuntime {
  readonly turns: TurnParts;
  readonly skills: ArmSkills;
  close(): Promise<void>;
}

/** Opens an arm. `cwd`: whose settings hold; `empty`: a folder in which nothing is. */
export async function openArm(parts: RuntimeParts, guard: SandboxGuard, { skills, cwd, empty }: { readonly skills: ArmSkills; readonly cwd: string; readonly empty: string }): Promise<ArmRuntime> {
  const own = await parts.settings(cwd);
  const paths = [...(skills.skill ? [skills.skill.folder] : []), ...skills.crowd.map(({ folder }) => folder)];
  const settings: LoadedSettings = {
    ...own,
    // Nothing that one run leaves behind reaches another, and the person's memory stays as it is.
    values: { ...own.values, memory: false, skills: { ...own.values.skills, paths, enabled: {}, npm: false, generateTags: false } },
  };
  const views = skillViews({ fetch: parts.fetch, tree: parts.host.tree, files: parts.host.files, env: {}, home: empty, dataFolder: empty, bundledFolder: path.join(empty, 'bundled'), now: parts.now, ephemeral: true, stays: false });
  const arm: RuntimeParts = { ...parts, terminal: false, skillViews: views, settings: async () => settings, trust: armTrust(parts, skills) };
  try {
    // All skills are read before the first run, so that no run sees fewer.
    await views.refresh(empty, settings);
  } catch (error) {
    await views.close();
    throw error;
  }
  const binder = new SessionBinder(arm, { ...guard, close: async () => undefined });
  return {
    turns: { parts: arm, binder },
    skills,
    async close() {
      await binder.close();
      await views.close();
    },
  };
}

/** Skills are trusted as in the library that they come from, wherever the arm has them from. */
function armTrust({ trust, host: { tree } }: RuntimeParts, { skill, crowd }: ArmSkills): SkillTrust {
  const originals = new Map(crowd.map((entry) => [realOrSame(tree, entry.folder), entry]));
  const copy = skill && realOrSame(tree, skill.folder);
  return {
    of(given, digest, workspace) {
      const real = realOrSame(tree, given.folder);
      if (real === copy) return skill?.trusted ? { trusted: true, why: 'you have trusted this content' } : { trusted: false, why: 'never trusted' };
      return trust.of(originals.get(real) ?? given, digest, workspace);
    },
  };
}
