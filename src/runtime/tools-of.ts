import { parseToolSpecifiers, skillAllows } from '../skills/activate/tool-grant.ts';
import type { Tool } from '../tools/define.ts';

/** Tools through which others are reached: they come with any of those. */
const WAYS: ReadonlySet<string> = new Set(['FindTools', 'CallTool']);

/** The tools that the model is told of: those that every list has; deferred ones are found through `FindTools`. */
export function toolsOf(lists: readonly (readonly string[])[], tools: readonly Tool[]): readonly Tool[] {
  const allowed = allowedTools(lists, tools);
  const deferred = allowed.some((tool) => tool.deferred);
  return allowed.filter((tool) => !tool.deferred && (!WAYS.has(tool.spec.name) || lists.length === 0 || deferred));
}

/** The tools that a session with these lists (entries of `allowed-tools`) may call. */
export function allowedTools(lists: readonly (readonly string[])[], tools: readonly Tool[]): readonly Tool[] {
  const all = lists.map((list) => parseToolSpecifiers(list, { folder: '' }));
  return tools.filter((tool) => WAYS.has(tool.spec.name) || all.every((specifiers) => skillAllows(specifiers, tool.spec.name).kind !== 'denied'));
}
