import { textOf } from '../../protocol/content.ts';
import type { ToolOutcome, ToolWaiting } from '../../protocol/tool.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { AgentCall } from '../../tools/define.ts';
import { GENERAL_AGENT, type AgentProfile } from './agent-profile.ts';
import type { AgentParts } from './agent-task.ts';
import { agentNamed } from './choose-agent.ts';
import { runAgent } from './run-agent.ts';

/** Runs a skill with `context: fork` as the task of a sub-agent whose session is bound to it. */
export async function forkSkill(parts: AgentParts, skill: SkillEntry, args: string | undefined, call: AgentCall): Promise<ToolOutcome | ToolWaiting> {
  const asked = textOf(parts.state.turn?.input ?? []);
  const prompt = args === undefined || args.trim() === '' ? asked : `${args}\n\n<request_of_the_person>\n${asked}\n</request_of_the_person>`;
  return runAgent(parts, { profile: await profileOf(parts, skill), prompt, skill }, call);
}

/** The agent that the skill asks for. A skill that names none has the steps that it says, and else those of any turn. */
async function profileOf(parts: AgentParts, { id, frontmatter }: SkillEntry): Promise<AgentProfile> {
  const { agent } = frontmatter;
  const found = agent === undefined ? undefined : agentNamed(await parts.catalogue(), agent);
  if (found?.isolated) return { ...found, notices: [...(found.notices ?? []), `The agent ${found.name} asks for a worktree of its own, which the run of a skill does not get; it works in the session's folder.`] };
  if (found) return found;
  const { maxSteps: _steps, ...general } = GENERAL_AGENT;
  return agent === undefined ? general : { ...general, notices: [`The skill ${id} asks for the agent "${agent}", which does not exist; general-purpose runs it.`] };
}
