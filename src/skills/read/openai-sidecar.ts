import path from 'node:path';
import type { FolderEntry, ReadTree } from '../../host/host.ts';
import { isObject } from '../../protocol/json.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { decodeText } from './decode-text.ts';
import { info, warning } from './diagnostic.ts';
import { asBoolean, asText } from './field-values.ts';
import type { SkillDocument } from './read-skill-md.ts';
import { readSimpleFrontmatter } from './simple-frontmatter.ts';
import type { YamlReader } from './yaml-reader.ts';

const FOLDER = 'agents';
const FILE = 'openai.yaml';
const MAX_BYTES = 64 * 1024;

/** A sidecar file: its text, or why it has none. */
export type Sidecar = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'unreadable'; readonly why: string };

/** The file `agents/openai.yaml` of a skill, if there is one. `entries` are those of the skill's folder, where the caller has listed them. */
export function readSidecar(tree: ReadTree, folder: string, entries: readonly FolderEntry[] | undefined): Sidecar | undefined {
  if (entries && !entries.some(({ name, kind }) => name === FOLDER && kind !== 'file')) return undefined;
  const file = path.join(folder, FOLDER, FILE);
  try {
    const { kind, size } = tree.stat(file);
    if (kind !== 'file') return { kind: 'unreadable', why: 'it is no regular file' };
    if (size > MAX_BYTES) return { kind: 'unreadable', why: `it has ${size} bytes; ${MAX_BYTES} are the limit` };
    return { kind: 'text', text: decodeText(tree.read(file)).text };
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error));
    return missing ? undefined : { kind: 'unreadable', why: messageOf(error) };
  }
}

/**
 * A skill with what codex is told of it beside the SKILL.md: who may call it, its name and line for people, and the
 * servers that it needs. The SKILL.md comes first. A file that cannot be read is a diagnostic and changes nothing.
 * Undefined when the YAML package is needed and not given.
 */
export function withSidecar(document: SkillDocument, sidecar: Sidecar | undefined, yaml: YamlReader | undefined): SkillDocument | undefined {
  if (!sidecar) return document;
  const ignored = (why: string): SkillDocument => withNote(document, warning('sidecar-unreadable', `${FOLDER}/${FILE} is left out: ${why}`));
  if (sidecar.kind === 'unreadable') return ignored(sidecar.why);
  const simple = readSimpleFrontmatter(sidecar.text.endsWith('\n') ? sidecar.text : `${sidecar.text}\n`);
  if (!simple && !yaml) return undefined;
  const result = simple ? ({ kind: 'fields', ...simple } as const) : yaml?.read(sidecar.text);
  switch (result?.kind) {
    case 'fields': return merged(document, result.fields);
    case 'invalid':
    case 'refused': return ignored(result.message);
    case 'not-a-map': return ignored('it is no map of fields');
    case 'empty':
    case undefined: return document;
  }
}

function merged(document: SkillDocument, fields: Readonly<Record<string, unknown>>): SkillDocument {
  const { frontmatter } = document;
  const shown = mapOf(fields['interface']);
  const implicit = asBoolean(mapOf(fields['policy'])['allow_implicit_invocation']);
  const shortDescription = frontmatter.shortDescription ?? line(shown['short_description']);
  const tools = toolsOf(mapOf(fields['dependencies'])['tools']);
  const description = frontmatter.description === undefined && shortDescription !== undefined ? shortDescription : document.description;
  const found: Partial<typeof frontmatter> = {
    disableModelInvocation: frontmatter.disableModelInvocation ?? (implicit === false ? true : undefined),
    displayName: frontmatter.displayName ?? line(shown['display_name']),
    shortDescription,
    requiredTools: tools.length > 0 ? tools : undefined,
  };
  const closed = implicit === false ? ': the model does not call the skill by itself' : '';
  return withNote({ ...document, description, frontmatter: { ...frontmatter, ...found } }, info('dialect-codex', `${FOLDER}/${FILE} is read${closed}`));
}

function withNote(document: SkillDocument, note: SkillDiagnostic): SkillDocument {
  return { ...document, diagnostics: [...document.diagnostics, note] };
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function line(value: unknown): string | undefined {
  return asText(value)?.replace(/\s+/g, ' ');
}

function toolsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    const { type, value: name } = mapOf(each);
    const [kind, called] = [line(type), line(name)];
    return kind !== undefined && called !== undefined ? [`${kind}:${called}`] : [];
  });
}
