import { canonicalToolName } from '../../protocol/tool-names.ts';

/** One entry of `allowed-tools`: a tool by its name here, and what it is limited to, as in `Bash(git add *)`. */
export interface ToolSpecifier {
  readonly tool: string;
  /** Text between the parentheses; undefined when the tool is not limited. */
  readonly spec: string | undefined;
}

/** Whether a skill's list has a tool: not at all, without limits, or limited to what one of `specs` matches. */
export type SkillGrant = { readonly kind: 'denied' } | { readonly kind: 'allowed' } | { readonly kind: 'limited'; readonly specs: readonly string[] };

const FOLDER_VARIABLE = /\$\{((?:CLAUDE_)?SKILL_DIR|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\}/g;

/** Absolute folders that rules of a skill may name by a variable. */
export interface GrantFolders {
  /** The skill's own: `${CLAUDE_SKILL_DIR}`, `${SKILL_DIR}`. */
  readonly folder: string;
  /** `${CLAUDE_PROJECT_DIR}`. */
  readonly projectDir?: string | undefined;
  /** `${CLAUDE_PLUGIN_ROOT}`. */
  readonly pluginRoot?: string | undefined;
}

/**
 * Reads the entries of `allowed-tools`: names of other clients become the ones used here, and variables become the
 * folders that they stand for; one without a folder stays, so that its rule matches nothing. `Bash(*)` is `Bash`.
 */
export function parseToolSpecifiers(allowedTools: readonly string[], folders: GrantFolders): readonly ToolSpecifier[] {
  return allowedTools.map((entry) => {
    const [, name = entry, inner] = /^([^(]+)\(([^]*)\)\s*$/.exec(entry) ?? [];
    const tool = canonicalToolName(name);
    const spec = inner?.trim().replace(FOLDER_VARIABLE, (written, variable: string) => {
      const at = folderOf(variable, folders);
      // In a file rule one slash is the session's folder and two are the file system's root.
      return at === undefined ? written : tool === 'Bash' ? at : `/${at}`;
    });
    const unlimited = spec === undefined || spec === '' || spec === '*';
    return { tool, spec: unlimited ? undefined : spec };
  });
}

function folderOf(variable: string, { folder, projectDir, pluginRoot }: GrantFolders): string | undefined {
  if (variable === 'CLAUDE_PROJECT_DIR') return projectDir;
  return variable === 'CLAUDE_PLUGIN_ROOT' ? pluginRoot : folder;
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

/** `*` stands for any characters; a bare server (`mcp__github`) for all of its tools, and `Browser` for those of the browser. */
function namesTool(pattern: string, tool: string): boolean {
  if (pattern === tool || (/^mcp__[^_]+(?:_[^_]+)*$/.test(pattern) && tool.startsWith(`${pattern}__`)) || (pattern === 'Browser' && tool.startsWith(pattern))) return true;
  if (!pattern.includes('*')) return false;
  return new RegExp(`^${pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`).test(tool);
}
