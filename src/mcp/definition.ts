import path from 'node:path';
import type { McpServerForm } from '../protocol/mcp.ts';
import { expandVariables } from './expand.ts';

/** Longest call that no definition speaks of, in ms. */
const CALL_MS = 60_000;

/** A server that can be connected to: everything filled in. `roots`: it is told of the folders of the session. */
export type ServerDefinition =
  | { readonly kind: 'stdio'; readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd: string; readonly callMs: number; readonly roots: boolean }
  /** `legacy` is the older form over HTTP, with a stream of its own for answers. */
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly legacy: boolean; readonly callMs: number; readonly roots: boolean };

/** What a definition is read with. */
export interface DefinitionParts {
  /** Values that may be used in place of `${NAME}`. */
  readonly variable: (name: string) => string | undefined;
  /** Folder that a program runs in and that its `cwd` is meant from. */
  readonly folder: string;
}

/** Fills in the variables of a server. A problem is the end of a sentence about it. */
export function readDefinition(form: McpServerForm, { variable, folder }: DefinitionParts): { readonly definition: ServerDefinition } | { readonly problem: string } {
  const missing = new Set<string>();
  const fill = (text: string): string => {
    const expanded = expandVariables(text, variable);
    if ('text' in expanded) return expanded.text;
    for (const name of expanded.missing) missing.add(name);
    return text;
  };
  const fillAll = (texts: Readonly<Record<string, string>> = {}): Record<string, string> => Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, fill(value)]));
  // Folders of this machine mean nothing elsewhere.
  const { timeout: callMs = CALL_MS, roots = form.url === undefined } = form;
  const definition: ServerDefinition = form.url === undefined
    ? { kind: 'stdio', argv: [form.command ?? '', ...(form.args ?? [])].map(fill), env: fillAll(form.env), cwd: path.resolve(folder, fill(form.cwd ?? '.')), callMs, roots }
    : { kind: 'http', url: fill(form.url), headers: fillAll(form.headers), legacy: form.type === 'sse', callMs, roots };
  if (missing.size > 0) return { problem: `needs ${[...missing].map((name) => `\${${name}}`).join(' and ')}, which ${missing.size === 1 ? 'is not set or not allowed to it' : 'are not set or not allowed to it'}` };
  if (definition.kind === 'stdio' && (definition.argv[0] === '' || definition.argv.some((word) => word.includes('\0')))) return { problem: 'names neither a program nor an address that can be used' };
  if (definition.kind === 'http' && !(URL.canParse(definition.url) && /^https?:$/.test(new URL(definition.url).protocol))) return { problem: 'has an address that is no http or https address' };
  return { definition };
}
