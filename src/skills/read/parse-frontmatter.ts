import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fault } from './diagnostic.ts';
import { foldKey, isCoreKeyLine } from './key-line.ts';
import { keyBlockEnd } from './key-block.ts';
import { locateFrontmatter, type LocatedFrontmatter } from './locate-frontmatter.ts';
import { repairFrontmatter } from './repair-frontmatter.ts';
import { readSimpleFrontmatter, type FieldRecord } from './simple-frontmatter.ts';
import type { YamlReader, YamlResult } from './yaml-reader.ts';

/** Fields and body of a file. */
export interface ParsedFrontmatter {
  /** The text that the fields were read from; undefined where there is none. */
  readonly raw: string | undefined;
  readonly fields: FieldRecord;
  /** Written text of top-level values that are no strings. */
  readonly sources: Readonly<Record<string, string>>;
  readonly body: string;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Reads the located frontmatter: exactly where that is possible, else repaired. Undefined when YAML is needed and not given. */
export function parseFrontmatter(located: LocatedFrontmatter, yaml: YamlReader | undefined): ParsedFrontmatter | undefined {
  const { raw, body, diagnostics } = located;
  if (raw === undefined) return { raw, fields: {}, sources: {}, body, diagnostics };
  const simple = readSimpleFrontmatter(raw);
  if (simple && isNamed(simple.fields)) return { raw, ...simple, body, diagnostics };
  if (!yaml) return undefined;
  const result = yaml.read(raw);
  if (result.kind === 'fields' && isNamed(result.fields)) return { raw, fields: result.fields, sources: result.sources, body, diagnostics };
  const hasCore = raw.split('\n').some(isCoreKeyLine);
  return (hasCore ? undefined : secondBlock(located, yaml)) ?? repaired(located, raw, result, yaml);
}

function isNamed(fields: FieldRecord): boolean {
  return Object.keys(fields).some((key) => ['name', 'description'].includes(foldKey(key)));
}

function repaired(located: LocatedFrontmatter, raw: string, result: YamlResult, yaml: YamlReader): ParsedFrontmatter {
  const { body, diagnostics } = located;
  if (result.kind === 'fields') return { raw, fields: result.fields, sources: result.sources, body, diagnostics };
  const cut = unterminated(raw);
  if (cut) {
    const inner = parseFrontmatter({ raw: cut.raw, body: `${cut.rest}${body === '' ? '' : `\n---\n${body}`}`, diagnostics: [...diagnostics, fault('frontmatter-unterminated', 'the closing --- does not follow the fields', 'add a line --- after the last field')] }, yaml);
    if (inner) return inner;
  }
  const fixed = repairFrontmatter(raw, yaml);
  const known = Object.keys(fixed.fields).length > 0;
  if (result.kind === 'empty' && !known) return { raw, fields: {}, sources: {}, body, diagnostics: [...diagnostics, fault('frontmatter-empty', 'the frontmatter has no fields', 'add name and description')] };
  if (!known) {
    const whole = `${raw}\n---\n${body}`;
    return { raw: undefined, fields: {}, sources: {}, body: whole, diagnostics: [...diagnostics, fault('frontmatter-not-a-map', 'what stands between the --- lines are no fields', 'write name: and description: between the --- lines')] };
  }
  const problem = problemOf(result);
  return { raw, fields: fixed.fields, sources: fixed.sources, body, diagnostics: [...diagnostics, ...problem, ...(fixed.diagnostics.length > 0 || problem.length > 0 ? fixed.diagnostics : [fault('yaml', 'the frontmatter is no valid YAML')])] };
}

function problemOf(result: YamlResult): SkillDiagnostic[] {
  return result.kind === 'refused' ? [fault(result.code, result.message)] : [];
}

/** Frontmatter whose closing delimiter is really a rule further down: fields, a blank line, a heading, and no field after it. */
function unterminated(raw: string): { readonly raw: string; readonly rest: string } | undefined {
  const lines = raw.split('\n');
  const end = keyBlockEnd(lines, 0);
  const next = lines.slice(end).findIndex((line) => line.trim() !== '');
  if (end === 0 || next < 1 || !/^#{1,6}\s/.test(lines[end + next] ?? '')) return undefined;
  if (!lines.slice(0, end).some(isCoreKeyLine) || lines.slice(end).some((line) => /^(?:name|description):/i.test(line))) return undefined;
  return { raw: `${lines.slice(0, end).join('\n')}\n`, rest: lines.slice(end).join('\n') };
}

/** A first block without name and description, followed at once by one that has them. */
function secondBlock(first: LocatedFrontmatter, yaml: YamlReader): ParsedFrontmatter | undefined {
  const text = first.body.replace(/^\s+/, '');
  const start = text.replace(/^---[ \t]*\n\s*/, '').split('\n', 1)[0] ?? '';
  if (!isCoreKeyLine(start) || /^[-*>]\s/.test(start)) return undefined;
  const second = locateFrontmatter(text);
  if (second.raw === undefined) return undefined;
  const diagnostics = [...first.diagnostics, fault('second-frontmatter', 'name and description stand in a second block', 'put all fields between the first two --- lines')];
  return parseFrontmatter({ ...second, diagnostics }, yaml);
}
