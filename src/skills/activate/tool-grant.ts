import { canonicalToolName } from '../../protocol/tool-names.ts';

/** One entry of `allowed-tools`: a tool by its name here, and what it is limited to, as in `Bash(git add *)`. */
export interface ToolSpecifier {
  readonly tool: string;
  /** Text between the parentheses; undefined when the tool is not limited. */
  readonly spec: string | undefined;
}

/** Whether a skill's list has a tool: not at all, without limits, or limited to what one of `specs` matches. */
export type SkillGrant = { readonly kind: 'denied' } | { readonly kind: 'allowed' } | { readonly kind: 'limited'; readonly specs: readonly string[] };

/**
 * Reads the entries of `allowed-tools`: names of other clients become the ones used here, and `${CLAUDE_SKILL_DIR}` or
 * `${SKILL_DIR}` becomes the skill's folder. `Bash(*)` is `Bash`.
 */
export function parseToolSpecifiers(allowedTools: readonly string[], { folder }: { readonly folder: string }): readonly ToolSpecifier[] {
  return allowedTools.map((entry) => {
    const [, name = entry, inner] = /^([^(]+)\(([^]*)\)\s*$/.exec(entry) ?? [];
    const tool = canonicalToolName(name);
    // In a file rule one slash is the session's folder and two are the file system's root.
    const at = tool === 'Bash' ? folder : `/${folder}`;
    const spec = inner?.trim().replace(/\$\{(?:CLAUDE_)?SKILL_DIR\}/g, () => at);
    const unlimited = spec === undefined || spec === '' || spec === '*';
    return { tool, spec: unlimited ? undefined : spec };
  });
}

/** What a skill's list says of a tool. Without a list every tool is allowed. */
export function skillAllows(specifiers: readonly ToolSpecifier[] | undefined, toolName: string): SkillGrant {
  if (specifiers === undefined) return { kind: 'allowed' };
  const tool = canonicalToolName(toolName);
  const matching = specifiers.filter((each) => namesTool(each.tool, tool));
  if (matching.length === 0) return { kind: 'denied' };
  const specs = matching.flatMap((each) => (each.spec === undefined ? [] : [each.spec]));
  return specs.length < matching.length ? { kind: 'allowed' } : { kind: 'limited', specs };
}

/** `*` stands for any characters; a bare server (`mcp__github`) for all of its tools. */
function namesTool(pattern: string, tool: string): boolean {
  if (pattern === tool || (/^mcp__[^_]+(?:_[^_]+)*$/.test(pattern) && tool.startsWith(`${pattern}__`))) return true;
  if (!pattern.includes('*')) return false;
  return new RegExp(`^${pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`).test(tool);
}
