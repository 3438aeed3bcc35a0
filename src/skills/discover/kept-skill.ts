import { isObject } from '../../protocol/json.ts';
import type { SkillDiagnostic } from '../../protocol/skill.ts';
import type { SkillFrontmatter } from '../read/fields.ts';
import type { SkillDocument } from '../read/read-skill-md.ts';

/** A SKILL.md as read, without its body. */
export type SkillFacts = Omit<SkillDocument, 'body'>;

/** What is kept of a skill from one search to the next. */
export interface KeptSkill {
  readonly signature: string;
  readonly facts: SkillFacts;
  /** Left out until somebody asked for it. */
  readonly digest?: string;
}

const FIELDS: Readonly<Record<keyof SkillFrontmatter, 'text' | 'list' | 'flag' | 'count' | 'record' | 'any'>> = {
  name: 'text',
  description: 'text',
  license: 'text',
  compatibility: 'text',
  metadata: 'any',
  allowedTools: 'list',
  disallowedTools: 'list',
  version: 'text',
  type: 'text',
  maxIterations: 'count',
  whenToUse: 'text',
  argumentHint: 'text',
  arguments: 'list',
  disableModelInvocation: 'flag',
  userInvocable: 'flag',
  model: 'text',
  effort: 'text',
  context: 'text',
  agent: 'text',
  background: 'flag',
  hooks: 'any',
  paths: 'list',
  shell: 'text',
  displayName: 'text',
  shortDescription: 'text',
  requiredTools: 'list',
  firstArgument: 'count',
  other: 'record',
};
const FIELD_KINDS: ReadonlyMap<string, (typeof FIELDS)[keyof SkillFrontmatter]> = new Map(Object.entries(FIELDS));
const SEVERITIES: readonly unknown[] = ['error', 'warning', 'info'] satisfies readonly SkillDiagnostic['severity'][];

/** Room for one skill, in characters. */
const LARGEST = 32_768;

/** True when the facts come back from JSON as they are, and are of a usual size: YAML also gives loops and infinite numbers. */
export function canBeKept(facts: SkillFacts): boolean {
  return facts.status !== 'rejected' && roomAfter(facts, LARGEST) > 0;
}

/** Room that is left after the value; below zero for a value that JSON cannot hold. */
function roomAfter(value: unknown, room: number): number {
  switch (typeof value) {
    case 'string': return room - value.length;
    case 'number': return Number.isFinite(value) ? room - 8 : -1;
    case 'boolean':
    case 'undefined': return room - 8;
    case 'object': break;
    default: return -1;
  }
  let left = room - 16;
  for (const [key, inner] of Object.entries(value ?? {})) {
    if (left <= 0) return left;
    left = roomAfter(inner, left - key.length);
  }
  return left;
}

/** True for a value out of a cache file that has the form of a kept skill. */
export function isKeptSkill(value: unknown): value is KeptSkill {
  return isObject(value) && typeof value['signature'] === 'string' && isFacts(value['facts']) && (value['digest'] === undefined || typeof value['digest'] === 'string');
}

/** Facts out of the text that was kept of them; undefined when it has not their form. */
export function keptFacts(text: string): SkillFacts | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFacts(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isFacts(value: unknown): value is SkillFacts {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    typeof value['description'] === 'string' &&
    (value['status'] === 'loaded' || value['status'] === 'repaired') &&
    (value['status'] === 'loaded' ? value['reason'] === undefined : typeof value['reason'] === 'string') &&
    isFrontmatter(value['frontmatter']) &&
    Array.isArray(value['diagnostics']) &&
    value['diagnostics'].every(isDiagnostic)
  );
}

/** True for a value out of JSON that is a finding. */
export function isDiagnostic(value: unknown): value is SkillDiagnostic {
  return isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string' && SEVERITIES.includes(value['severity']) && (value['fix'] === undefined || typeof value['fix'] === 'string');
}

/** Fields without a value are not in the file. */
function isFrontmatter(value: unknown): value is SkillFrontmatter {
  return isObject(value) && isObject(value['other']) && Object.entries(value).every(([name, field]) => fits(field, FIELD_KINDS.get(name)));
}

function fits(value: unknown, kind: ReturnType<typeof FIELD_KINDS.get>): boolean {
  switch (kind) {
    case 'text': return typeof value === 'string';
    case 'list': return Array.isArray(value) && value.every((each) => typeof each === 'string');
    case 'flag': return typeof value === 'boolean';
    case 'count': return typeof value === 'number';
    case 'record': return isObject(value);
    case 'any': return true;
    case undefined: return false;
  }
}
