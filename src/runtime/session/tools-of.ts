import { BROWSER_TOOLS } from '../../protocol/tool-names.ts';
import { parseToolSpecifiers, skillAllows } from '../../skills/activate/tool-grant.ts';
import type { Tool } from '../../tools/define.ts';

/** Tools through which others are reached: they come with any of those. */
const WAYS: ReadonlySet<string> = new Set(['FindTools', 'CallTool']);

/** Tools that start sub-agents. */
const FOR_AGENTS: ReadonlySet<string> = new Set(['Task', 'TaskOutput']);

/**
 * The tools that the model is told of: those that every list has; deferred ones are found through `FindTools`. `remote`: there
 * are MCP servers, whose tools are not known yet. Of the tools of the browser only the names are known here. `agents`: the session may start sub-agents.
 */
export function toolsOf(lists: readonly (readonly string[])[], tools: readonly Tool[], { remote = false, agents = true }: { readonly remote?: boolean; readonly agents?: boolean } = {}): readonly Tool[] {
  const allowed = allowedTools(lists, tools);
  const deferred = allowed.some((tool) => tool.deferred) || BROWSER_TOOLS.some(isAllowedBy(lists)) || (remote && lists.every((list) => list.some((entry) => entry.startsWith('mcp__'))));
  return allowed.filter((tool) => !tool.deferred && (agents || !FOR_AGENTS.has(tool.spec.name)) && (!WAYS.has(tool.spec.name) || lists.length === 0 || deferred));
}

/** The tools that a session with these lists (entries of `allowed-tools`) may call. */
export function allowedTools(lists: readonly (readonly string[])[], tools: readonly Tool[]): readonly Tool[] {
  const isAllowed = isAllowedBy(lists);
  return tools.filter((tool) => WAYS.has(tool.spec.name) || isAllowed(tool.spec.name));
}

function isAllowedBy(lists: readonly (readonly string[])[]): (name: string) => boolean {
  const all = lists.map((list) => parseToolSpecifiers(list, { folder: '' }));
  return (name) => all.every((specifiers) => skillAllows(specifiers, name).kind !== 'denied');
}
