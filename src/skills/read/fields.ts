import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { parsePathGlobs } from '../path-globs.ts';
import { info, warning } from './diagnostic.ts';
import { isObject } from '../../protocol/json.ts';
import { asBoolean, asCount, asGlobs, asText, asWords } from './field-values.ts';
import { foldKey } from './key-line.ts';
import type { FieldRecord } from './simple-frontmatter.ts';
import { splitToolList } from './tool-list.ts';

/** The fields of a SKILL.md with their types. A field that is missing or cannot be understood is undefined. */
export interface SkillFrontmatter {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly license: string | undefined;
  readonly compatibility: string | undefined;
  /** Any shape: a map of strings by the standard. */
  readonly metadata: unknown;
  /** Undefined when the skill does not limit its tools; an empty list allows none. */
  readonly allowedTools: readonly string[] | undefined;
  readonly disallowedTools: readonly string[] | undefined;
  readonly version: string | undefined;
  readonly type: string | undefined;
  readonly maxIterations: number | undefined;
  readonly whenToUse: string | undefined;
  readonly argumentHint: string | undefined;
  readonly arguments: readonly string[] | undefined;
  readonly disableModelInvocation: boolean | undefined;
  readonly userInvocable: boolean | undefined;
  readonly model: string | undefined;
  readonly effort: string | undefined;
  readonly context: string | undefined;
  readonly agent: string | undefined;
  readonly background: boolean | undefined;
  /** Any shape; the hooks reader checks it. */
  readonly hooks: unknown;
  readonly paths: readonly string[] | undefined;
  readonly shell: string | undefined;
  /** Name for people, where it differs from the skill's. */
  readonly displayName: string | undefined;
  /** For people, in lists; stands in for a missing description. */
  readonly shortDescription: string | undefined;
  /** What codex must have at hand for the skill, as `mcp:NAME`. */
  readonly requiredTools: readonly string[] | undefined;
  /** Number of the first argument in `$N`, where it is not 0: opencode counts from 1. */
  readonly firstArgument: number | undefined;
  /** Fields that this program gives no meaning, as YAML gave them. */
  readonly other: FieldRecord;
}

/** Names of the known fields as documentation writes them, by folded name. */
const KNOWN: ReadonlyMap<string, string> = new Map(
  (
    'name description license compatibility metadata allowed-tools disallowed-tools version type max_iterations when_to_use argument-hint ' +
    'arguments disable-model-invocation user-invocable model effort context agent background hooks paths shell display_name'
  )
    .split(' ')
    .map((name): [string, string] => [foldKey(name), name]),
);

/** True for a field that this program gives a meaning, however it is spelled. */
export function isKnownField(key: string): boolean {
  return KNOWN.has(foldKey(key));
}

/** How documentation writes a known field; other names as they are. */
export function documentedName(key: string): string {
  return KNOWN.get(foldKey(key)) ?? key;
}

/** Types the fields. `sources` holds the written text of values that are no strings (`1.10`, `007`). */
export function typeFields(fields: FieldRecord, sources: Readonly<Record<string, string>>): { readonly frontmatter: SkillFrontmatter; readonly diagnostics: readonly SkillDiagnostic[] } {
  const { values, keys, other, diagnostics } = sortFields(fields);
  const typed = <T>(name: string, expected: string, read: (value: unknown) => T | undefined): T | undefined => {
    const value = values.get(name) ?? undefined;
    if (value === undefined) return undefined;
    const result = read(value);
    if (result === undefined && value !== '') diagnostics.push(warning('field-type', `the field ${name} should be ${expected}`));
    return result;
  };
  const text = (name: string): string | undefined =>
    typed(name, 'text', (value) => {
      if (typeof value === 'string') return asText(value);
      const source = sources[keys.get(name) ?? name];
      const plain = Array.isArray(value) ? asText(value) : undefined;
      return plain ?? asText(source?.replace(/\s+/g, ' ')) ?? asText(value);
    });
  const flag = (name: string): boolean | undefined => typed(name, 'true or false', asBoolean);
  const paths = typed('paths', 'a list of globs', asGlobs);
  diagnostics.push(...parsePathGlobs(paths ?? []).problems.map((problem) => warning('paths', problem)));
  const frontmatter: SkillFrontmatter = {
    name: text('name'),
    description: text('description'),
    license: text('license'),
    compatibility: text('compatibility'),
    metadata: values.get('metadata') ?? undefined,
    allowedTools: typed('allowed-tools', 'a list of tools', splitToolList),
    disallowedTools: typed('disallowed-tools', 'a list of tools', splitToolList),
    version: text('version'),
    type: text('type') ?? typeInMetadata(values.get('metadata')),
    maxIterations: typed('max_iterations', 'a whole number above zero', asCount),
    whenToUse: text('when_to_use'),
    argumentHint: text('argument-hint'),
    arguments: typed('arguments', 'a list of names', asWords),
    disableModelInvocation: flag('disable-model-invocation'),
    userInvocable: flag('user-invocable'),
    model: text('model'),
    effort: text('effort'),
    context: text('context'),
    agent: text('agent'),
    background: flag('background'),
    hooks: values.get('hooks') ?? undefined,
    paths,
    shell: text('shell'),
    displayName: text('display_name'),
    shortDescription: undefined,
    requiredTools: undefined,
    firstArgument: undefined,
    other,
  };
  return { frontmatter, diagnostics };
}

/** `metadata.type` is what the open standard leaves room for. */
function typeInMetadata(metadata: unknown): string | undefined {
  return isObject(metadata) ? asText(metadata['type']) : undefined;
}

/** Known fields by their documented name, the others as they are. A field in its documented spelling beats variants. */
function sortFields(fields: FieldRecord): { values: Map<string, unknown>; keys: Map<string, string>; other: FieldRecord; diagnostics: SkillDiagnostic[] } {
  const values = new Map<string, unknown>();
  const keys = new Map<string, string>();
  const other: [string, unknown][] = [];
  const diagnostics: SkillDiagnostic[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const known = KNOWN.get(foldKey(key));
    if (known === undefined) {
      other.push([key, value]);
      continue;
    }
    const exact = key === known || key.replaceAll('_', '-') === known;
    if (!exact) diagnostics.push(info('field-spelling', `the field ${JSON.stringify(key)} is read as ${known}`, known));
    const isEmpty = value === null || value === '';
    if (values.has(known) && (isEmpty || (!exact && (values.get(known) ?? '') !== ''))) continue;
    values.set(known, value);
    keys.set(known, key);
  }
  return { values, keys, other: Object.fromEntries(other), diagnostics };
}
