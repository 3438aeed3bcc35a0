import { canonicalToolName } from '../../protocol/tool-names.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';

/** A kind of sub-agent. */
export interface AgentType {
  readonly name: string;
  /** The tools it has; all when left out. */
  readonly tools?: readonly string[];
  readonly maxSteps?: number;
}

const TYPES: readonly AgentType[] = [
  { name: 'general-purpose' },
  { name: 'explore', tools: ['Read', 'Glob', 'Grep', 'LS'], maxSteps: 5 },
  { name: 'plan', tools: ['Read', 'Glob', 'Grep', 'LS'], maxSteps: 10 },
];

/** The kind of sub-agent that a skill asks for with `agent`; `general-purpose` where there is none of that name, which `isKnownAgent` tells. */
export function agentTypeOf({ frontmatter }: SkillEntry): AgentType {
  const wanted = frontmatter.agent?.trim().toLowerCase();
  return TYPES.find((type) => type.name === wanted) ?? { name: 'general-purpose' };
}

/** False for a skill that names a kind of sub-agent that does not exist. */
export function isKnownAgent({ frontmatter }: SkillEntry): boolean {
  return frontmatter.agent === undefined || TYPES.some((type) => type.name === frontmatter.agent?.trim().toLowerCase());
}

/** The tools that are left when both the skill's list and the kind of sub-agent have a say. */
export function toolsOfFork(skill: SkillEntry, allowed: readonly string[] | undefined): readonly string[] | undefined {
  const { tools } = agentTypeOf(skill);
  if (!tools || !allowed) return tools ?? allowed;
  return allowed.filter((entry) => tools.includes(canonicalToolName(entry.replace(/\(.*$/s, ''))));
}
