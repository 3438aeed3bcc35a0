import path from 'node:path';
import { parseHooks } from '../hooks/parse-hooks.ts';
import type { ReadTree } from '../host/host.ts';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import type { SkillDiagnostic } from '../protocol/skill.ts';
import { estimateTokens } from '../util/estimate-tokens.ts';
import { readDocument } from './discover/read-entry.ts';
import { listSkillFiles } from './files.ts';
import { fault, info, warning } from './read/diagnostic.ts';
import { documentedName } from './read/fields.ts';
import type { SkillDocument } from './read/read-skill-md.ts';

/** The judgement on a skill: `ok` when no diagnostic is an error. */
export interface Validation {
  readonly ok: boolean;
  readonly diagnostics: readonly SkillDiagnostic[];
}

const NAME_CHARS = 64;
const DESCRIPTION_CHARS = 1_024;
const COMPATIBILITY_CHARS = 500;
const BODY_TOKENS = 5_000;
const STANDARD_FIELDS = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']);

/**
 * Checks a skill against the open standard and against what its readers stumble over. `at` is the skill's folder or
 * its SKILL.md, absolute. Throws `not_found` when there is none, `io` when the folder cannot be read.
 */
export async function validateSkill(tree: ReadTree, at: string): Promise<Validation> {
  const { folder, file } = locate(tree, at);
  const document = await readDocument(tree, { folder, file });
  const folderName = path.basename(tree.realPath(folder));
  const diagnostics = [...document.diagnostics];
  if (document.status !== 'rejected') {
    diagnostics.push(...fileName(file), ...nameRules(document, folderName), ...fieldRules(document), ...bodyRules(document.body), ...references(tree, folder, document.body));
  }
  return { ok: diagnostics.every((each) => each.severity !== 'error'), diagnostics };
}

function locate(tree: ReadTree, at: string): { readonly folder: string; readonly file: string } {
  try {
    const { kind } = tree.stat(at);
    if (kind === 'file') return { folder: path.dirname(at), file: at };
    const names = tree.list(at).map((entry) => entry.name).filter((name) => name.toLowerCase() === 'skill.md').sort();
    const [name] = names;
    if (name === undefined) throw new SkillmintError('not_found', `${at} holds no SKILL.md; give the folder of a skill`);
    return { folder: at, file: path.join(at, name) };
  } catch (error) {
    if (error instanceof SkillmintError) throw error;
    throw new SkillmintError('not_found', `${at} cannot be read as a skill: ${messageOf(error)}`, { cause: error });
  }
}

function fileName(file: string): SkillDiagnostic[] {
  const name = path.basename(file);
  return name === 'SKILL.md' ? [] : [warning('file-name', `the file is called ${name}; some programs only read SKILL.md`, 'SKILL.md')];
}

function nameRules({ frontmatter }: SkillDocument, folderName: string): SkillDiagnostic[] {
  const { name } = frontmatter;
  if (name === undefined) return [fault('name-required', 'the standard requires a name', `name: ${folderName}`)];
  const out: SkillDiagnostic[] = [];
  const length = Array.from(name).length;
  if (length > NAME_CHARS) out.push(fault('name-too-long', `the name has ${length} characters; ${NAME_CHARS} are allowed`));
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) out.push(fault('name-pattern', `the name ${JSON.stringify(name)} may hold lower-case letters, digits and single hyphens between them`, slug(name)));
  if (name.normalize('NFKC') !== folderName.normalize('NFKC')) out.push(fault('name-folder', `the name ${JSON.stringify(name)} is not that of the folder, ${JSON.stringify(folderName)}`, `name: ${folderName}`));
  return out;
}

function fieldRules({ frontmatter }: SkillDocument): SkillDiagnostic[] {
  const out: SkillDiagnostic[] = [];
  const { description, compatibility, metadata, hooks } = frontmatter;
  if (hooks !== undefined) out.push(...parseHooks(hooks).diagnostics);
  if (description === undefined) out.push(fault('description-required', 'the standard requires a description'));
  const length = Array.from(description ?? '').length;
  if (length > DESCRIPTION_CHARS) out.push(fault('description-too-long', `the description has ${length} characters; ${DESCRIPTION_CHARS} are allowed`));
  if (compatibility !== undefined && Array.from(compatibility).length > COMPATIBILITY_CHARS) out.push(fault('compatibility-too-long', `compatibility has ${Array.from(compatibility).length} characters; ${COMPATIBILITY_CHARS} are allowed`));
  if (metadata !== undefined && (typeof metadata !== 'object' || Array.isArray(metadata))) out.push(warning('metadata-shape', 'metadata should be a map of texts'));
  const unknown = [...Object.keys(frontmatter.other), ...extensions(frontmatter)].filter((field) => !STANDARD_FIELDS.has(field));
  for (const field of unknown) out.push(info('field-not-standard', `the field ${JSON.stringify(field)} is not in the open standard; strict programs refuse it`));
  return out;
}

/** Fields that this program knows and the standard does not. */
function extensions(frontmatter: SkillDocument['frontmatter']): string[] {
  const { other: _, allowedTools: __, ...known } = frontmatter;
  return Object.entries(known)
    .filter(([, value]) => value !== undefined)
    .map(([key]) => documentedName(key));
}

function bodyRules(body: string): SkillDiagnostic[] {
  const out: SkillDiagnostic[] = [];
  const tokens = estimateTokens(body);
  if (tokens > BODY_TOKENS) out.push(warning('body-too-long', `the body has about ${tokens} tokens; above ${BODY_TOKENS} parts of it belong into files of their own`));
  const backslash = /(?:^|[\s`("'[])((?:\.{1,2}\\)?(?:[\w.-]+\\)+[\w.-]+\.[A-Za-z0-9]{1,5})(?=$|[\s`)"'\],;:])/m.exec(body)?.[1];
  if (backslash !== undefined) out.push(warning('backslash-path', `the path ${backslash} is written with backslashes, which only Windows understands`, backslash.replaceAll('\\', '/')));
  return out;
}

const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const NAMED = /(?<![\w/.$}-])((?:\.\/)?(?:scripts|references|assets)\/[\w./-]*\w\.[A-Za-z0-9]{1,5})/g;

/** Files that the body names and the folder does not have. Code blocks hold examples and are left out for links. */
function references(tree: ReadTree, folder: string, body: string): SkillDiagnostic[] {
  const outsideCode = body.replace(/^(```+|~~~+)[^]*?^\1/gm, '');
  const links = [...outsideCode.matchAll(LINK)].map((match) => match[1] ?? '').filter((target) => isLocalFile(target));
  const named = [...outsideCode.matchAll(NAMED)].map((match) => match[1] ?? '');
  const targets = new Set([...links, ...named].map((target) => path.posix.normalize(decode(target.replace(/[?#].*$/, '')))));
  if (targets.size === 0) return [];
  const { files, truncated } = listSkillFiles(tree, folder);
  const known = new Set(files.flatMap(({ path: at }) => [at, ...parents(at)]));
  return [...targets]
    .filter((target) => target !== '.' && !truncated && !known.has(target.replace(/\/$/, '')))
    .map((target) => (target.startsWith('..') ? warning('reference-outside', `the body names ${target}, which lies outside the skill`) : warning('reference-missing', `the body names ${target}, which does not exist`)));
}

function isLocalFile(target: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|#|\/|~|\$|\{)/i.test(target) && /\.[A-Za-z0-9]{1,5}(?:[?#]|$)/.test(target) && !/[<>{}*]/.test(target);
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch (error) {
    if (error instanceof URIError) return target;
    throw error;
  }
}

function parents(at: string): string[] {
  const segments = at.split('/');
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join('/'));
}

function slug(name: string): string {
  return name.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, NAME_CHARS);
}
