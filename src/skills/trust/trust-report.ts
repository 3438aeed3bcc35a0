import type { ReadTree } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { readDocument } from '../discover/read-entry.ts';
import { digestSkill } from '../digest.ts';
import { listSkillFiles, type SkillFile } from '../files.ts';
import type { SkillFrontmatter } from '../read/fields.ts';
import { sha256 } from '../sha256.ts';
import { hookLines } from './hook-lines.ts';
import { injectedCommands } from './injected-commands.ts';
import { networkSigns } from './network-signs.ts';
import type { TrustClaims } from './trust-file.ts';

/** Where a skill lies. */
export interface ExaminedPlace {
  readonly folder: string;
  /** Absolute path of the SKILL.md. */
  readonly file: string;
}

/** A file of a skill that can run, and by what it was told. */
export interface RunnableFile {
  readonly path: string;
  readonly why: string;
}

/** What a person has to know before trusting a skill: all that runs or gains rights through trust. */
export interface TrustReport {
  readonly digest: string;
  /** Every file that can run. */
  readonly runs: readonly RunnableFile[];
  /** Entries of `allowed-tools`. */
  readonly grants: readonly string[];
  /** One line for each hook: event, matcher and what it runs. */
  readonly hooks: readonly string[];
  /** Commands in the text, which run when the skill is loaded. */
  readonly commands: readonly string[];
  /** Fields that change how the session runs, as `model: NAME`. */
  readonly overrides: readonly string[];
  /** What looks like a use of the network. A hint: its absence proves nothing. */
  readonly network: readonly string[];
  /** Why the digest does not stand for all of the skill. Such a skill cannot be trusted. */
  readonly gaps: readonly string[];
  /** Path → SHA-256 in hex. */
  readonly files: Readonly<Record<string, string>>;
}

/** Reads a skill as a whole and runs nothing. Throws `skill_not_found` when it has gone or cannot be read, `library_busy` when it changes meanwhile. */
export async function examineSkill(tree: ReadTree, place: ExaminedPlace): Promise<TrustReport> {
  const { digest, diagnostics } = digestSkill(tree, place.folder);
  if (digest === '') throw new SkillmintError('skill_not_found', `the skill in ${place.folder} cannot be read: ${diagnostics[0]?.message ?? ''}`);
  const document = await readDocument(tree, place);
  const { files, links } = listSkillFiles(tree, place.folder);
  const looked = files.map((file) => look(tree, file));
  if (digestSkill(tree, place.folder).digest !== digest) throw new SkillmintError('library_busy', `the skill in ${place.folder} changed while it was read. Try again.`);
  const { frontmatter, body } = document;
  return {
    digest,
    runs: looked.flatMap(({ path, why }) => (why === undefined ? [] : [{ path, why }])),
    grants: frontmatter.allowedTools ?? [],
    hooks: hookLines(frontmatter.hooks),
    commands: injectedCommands(body),
    overrides: overridesOf(frontmatter),
    network: looked.flatMap(({ path, signs }) => (signs.length === 0 ? [] : [`${path}: ${signs.join(', ')}`])),
    gaps: diagnostics.map(({ message }) => message),
    files: Object.fromEntries([...looked.map(({ path, hash }): [string, string] => [path, hash]), ...links.map((link): [string, string] => [link, ''])]),
  };
}

/** What of a report is compared with a later one. */
export function claimsOf({ runs, grants, hooks, commands, overrides }: TrustReport): TrustClaims {
  return { runs: runs.map(({ path, why }) => `${path} (${why})`), grants, hooks, commands, overrides };
}

interface Looked {
  readonly path: string;
  readonly hash: string;
  readonly why: string | undefined;
  readonly signs: readonly string[];
}

function look(tree: ReadTree, { path, kind, realPath }: SkillFile): Looked {
  const bytes = tree.read(realPath);
  const why = runsBy(bytes) ?? (kind === 'script' ? 'script' : (tree.stat(realPath).mode & 0o111) !== 0 ? 'marked as executable' : undefined);
  return { path, hash: sha256(bytes), why, signs: networkSigns(bytes) };
}

/** Beginnings of programs: ELF, PE, and the forms of Mach-O. */
const MAGIC = ['7f454c46', '4d5a', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];

function runsBy(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200));
  if (start.toString('latin1', 0, 2) === '#!') return `starts with ${(/^#![^\r\n]*/.exec(start.toString()) ?? ['#!'])[0]}`;
  return MAGIC.some((magic) => start.toString('hex').startsWith(magic)) ? 'binary program' : undefined;
}

function overridesOf({ model, effort, context, agent, shell }: SkillFrontmatter): readonly string[] {
  return Object.entries({ model, effort, context, agent, shell }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
}
