import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault } from './diagnostic.ts';
import { isKnownField } from './fields.ts';
import { foldKey } from './key-line.ts';
import { repairValue } from './repair-value.ts';
import { readSimpleFrontmatter, type FieldRecord } from './simple-frontmatter.ts';
import { splitEntries, type Entry } from './split-entries.ts';
import type { YamlReader } from './yaml-reader.ts';

/** Fields that were read although strict YAML refuses the whole. */
export interface RepairedFields {
  readonly fields: FieldRecord;
  readonly sources: Readonly<Record<string, string>>;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** More fields than this: only the known ones are read. */
const MOST_ENTRIES = 500;

/**
 * Reads frontmatter field by field: each one strictly where that works, else by the repair that fits, which becomes a
 * diagnostic with the corrected text. A field that stands twice keeps its first value.
 */
export function repairFrontmatter(raw: string, yaml: YamlReader): RepairedFields {
  const { entries, diagnostics: found } = splitEntries(raw);
  const fields = new Map<string, unknown>();
  const sources = new Map<string, string>();
  const diagnostics = new Map<string, SkillDiagnostic>(found.map((each) => [each.code, each]));
  const readable = entries.length > MOST_ENTRIES ? entries.filter((entry) => isKnownField(entry.key)) : entries;
  for (const entry of readable) {
    if (fields.has(entry.key)) {
      diagnostics.set(`twice ${entry.key}`, fault('duplicate-key', `the field ${entry.key} stands twice; the first one counts`, `remove the second ${entry.key}`));
      continue;
    }
    const { value, source, problem } = readEntry(entry, yaml);
    fields.set(entry.key, value);
    if (source !== undefined) sources.set(entry.key, source);
    if (problem) diagnostics.set(`value ${entry.key}`, fault(problem.code, problem.message, `${entry.key}: ${JSON.stringify(value)}`));
  }
  return { fields: Object.fromEntries(fields), sources: Object.fromEntries(sources), diagnostics: [...diagnostics.values()] };
}

/** A field's value; `problem` says why strict YAML does not read it. */
export interface ReadEntry {
  readonly value: unknown;
  /** As it was written, for values that are no strings. */
  readonly source?: string;
  readonly problem?: { readonly code: string; readonly message: string };
}

/** Reads one field, strictly where that works, else by the repair that fits. */
export function readEntry(entry: Entry, yaml: YamlReader): ReadEntry {
  const strict = readAlone(entry, yaml);
  if (strict) return strict;
  const { value: whole, code, message } = repairValue(entry, yaml);
  const value = foldKey(entry.key) === 'name' && typeof whole === 'string' ? (whole.split('\n', 1)[0] ?? '').trim() : whole;
  return { value, problem: { code, message } };
}

/** The field's value where YAML reads the field by itself. */
function readAlone(entry: Entry, yaml: YamlReader): { readonly value: unknown; readonly source?: string } | undefined {
  if (entry.decorated) return undefined;
  const text = `field: ${entry.value}\n${entry.rest.map((line) => `${line}\n`).join('')}`;
  const simple = readSimpleFrontmatter(text);
  const result = simple ? { kind: 'fields' as const, ...simple } : yaml.read(text);
  if (result.kind !== 'fields' || Object.keys(result.fields).length !== 1 || !('field' in result.fields)) return undefined;
  const source = result.sources['field'];
  return { value: result.fields['field'], ...(source === undefined ? {} : { source }) };
}
