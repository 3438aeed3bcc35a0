import { stringify } from 'yaml';
import { foldKey } from '../read/key-line.ts';
import { readEntry } from '../read/repair-frontmatter.ts';
import { splitEntries, type Entry } from '../read/split-entries.ts';
import { yamlReader } from '../read/yaml-reader.ts';

/** Frontmatter in strict YAML, line by line, and what was changed for it. */
export interface RewrittenFields {
  readonly lines: readonly string[];
  readonly changes: readonly string[];
}

/** More fields than this are no fields of a skill. */
const MOST_ENTRIES = 500;
const CORE = ['name', 'description'] as const;

/** Writes frontmatter anew: fields that strict YAML reads stay as they are written, others are written so that it does. `wanted` replaces or adds name and description. Undefined for very many fields. */
export function rewriteFields(raw: string, wanted: Readonly<{ name?: string; description?: string }>): RewrittenFields | undefined {
  const { entries, leading } = splitEntries(raw);
  if (entries.length > MOST_ENTRIES) return undefined;
  const lines = leading.map((line) => (line.trim() === '' || line.startsWith('#') ? line : `# ${line}`)).filter((line, i, all) => line.trim() !== '' || i < all.length - 1);
  const changes: string[] = [];
  const seen = new Set<string>();
  for (const entry of entries) {
    const core = CORE.find((name) => name === foldKey(entry.key));
    const key = core ?? entry.key;
    if (seen.has(key)) {
      lines.push(...written(entry).map((line) => `# ${line}`));
      continue;
    }
    seen.add(key);
    const replacement = core && wanted[core];
    if (core && replacement !== undefined) {
      lines.push(...fieldLines(core, replacement));
      changes.push(`${core} is ${JSON.stringify(replacement)} now`);
    } else lines.push(...linesOf(entry, key));
  }
  const missing = CORE.filter((name) => !seen.has(name) && wanted[name] !== undefined);
  for (const name of missing) changes.push(`${name} is added: ${JSON.stringify(wanted[name])}`);
  return { lines: [...missing.flatMap((name) => fieldLines(name, wanted[name] ?? '')), ...lines], changes };
}

function linesOf(entry: Entry, key: string): readonly string[] {
  const { value, problem } = readEntry(entry, yamlReader);
  return problem === undefined && key === entry.key && !entry.decorated ? written(entry) : fieldLines(key, value);
}

function written({ line, rest }: Entry): readonly string[] {
  return [line, ...rest];
}

/** One field in strict YAML. */
function fieldLines(key: string, value: unknown): readonly string[] {
  const isPlain = key === 'name' && typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/.test(value);
  if (isPlain) return [`name: ${value}`];
  return stringify({ [key]: value }, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', doubleQuotedAsJSON: true }).trimEnd().split('\n');
}
