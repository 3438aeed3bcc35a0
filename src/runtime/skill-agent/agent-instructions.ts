import { readBody } from '../../skills/discover/read-entry.ts';
import { isMeta, type SkillEntry } from '../../skills/discover/skill-entry.ts';
import { digestSkill } from '../../skills/digest.ts';
import type { OperationParts } from './operation.ts';
import role from './agent-prompt.md';

/** The skills about skills that the agent works by. */
const META_SKILLS = ['skill-creator', 'enhancing-skills', 'evaluating-skills'] as const;

/** What the agent's prompt holds, and folders of its handbook that it may read. */
export interface AgentInstructions {
  readonly text: string;
  /** Real. */
  readonly folders: readonly string[];
}

/**
 * The agent's part of the system prompt: its role, and the full text of the meta-skills. The person's own of the same name takes
 * the place of a bundled one; nothing that is not trusted is ever part of it, and one that is switched off is left out.
 */
export async function agentInstructions(given: Pick<OperationParts, 'parts' | 'skills' | 'cwd'>): Promise<AgentInstructions> {
  const { tree } = given.parts.host;
  const entries = (await Promise.all(META_SKILLS.map((name) => metaSkill(given, name)))).filter((entry) => entry !== undefined);
  const texts = await Promise.all(entries.map(async (entry) => `<skill name="${entry.name}" folder="${tree.realPath(entry.folder)}">\n${(await readBody(tree, entry)).trim()}\n</skill>`));
  return { text: [role.trim(), ...texts].join('\n\n'), folders: entries.map(({ folder }) => tree.realPath(folder)) };
}

async function metaSkill({ parts, skills, cwd }: Pick<OperationParts, 'parts' | 'skills' | 'cwd'>, name: string): Promise<SkillEntry | undefined> {
  for (const id of [`user:${name}`, `bundled:${name}`]) {
    const found = await skills.resolve(id);
    if (found.kind !== 'found' || found.entry.id !== id || !isMeta(found.entry)) continue;
    if (parts.trust.of(found.entry, digestSkill(parts.host.tree, found.entry.folder).digest, [cwd]).trusted) return found.entry;
  }
  return undefined;
}
