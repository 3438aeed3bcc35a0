import type { BoundSkill } from '../protocol/events.ts';
import { parseToolSpecifiers, skillAllows } from '../skills/activate/tool-grant.ts';
import type { Tool } from '../tools/define.ts';

/** Tools through which others are reached: they come with any of those. */
const WAYS: ReadonlySet<string> = new Set(['FindTools', 'CallTool']);

/** The tools that the model is told of: those that a bound skill lists, or all; deferred ones are found through `FindTools`. */
export function toolsOf(bound: BoundSkill | undefined, tools: readonly Tool[]): readonly Tool[] {
  const allowed = allowedTools(bound, tools);
  const deferred = allowed.some((tool) => tool.deferred);
  return allowed.filter((tool) => !tool.deferred && (!WAYS.has(tool.spec.name) || !bound?.allowed_tools || deferred));
}

/** The tools that a bound session may call. */
export function allowedTools(bound: BoundSkill | undefined, tools: readonly Tool[]): readonly Tool[] {
  if (!bound?.allowed_tools) return tools;
  const specifiers = parseToolSpecifiers(bound.allowed_tools, { folder: '' });
  return tools.filter((tool) => WAYS.has(tool.spec.name) || skillAllows(specifiers, tool.spec.name).kind !== 'denied');
}
