import fs from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../../host/host.ts';
import { childEnvironment } from '../../host/child-environment.ts';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import { boundedOutput } from '../execute/bounded-output.ts';
import type { NamedSkill } from '../library/named-skill.ts';
import type { RuntimeParts } from '../parts.ts';
import { readDocument } from '../../skills/discover/read-entry.ts';
import { copyWithoutEvals } from './copy-without-evals.ts';
import type { SkillCopy } from './evaluation-folder.ts';

const MOST_ARCHIVE = 9 * 1024 * 1024;

/** What is copied, and where it is put. */
export interface CopySkill {
  readonly parts: Pick<RuntimeParts, 'host' | 'env' | 'trust'>;
  readonly skill: Pick<NamedSkill, 'id' | 'name' | 'source' | 'folder'>;
  /** A new folder for the copy. */
  readonly into: string;
  /** The person's folder: skills in it are not their own by place. */
  readonly cwd: string;
}

/**
 * Copies a skill for an evaluation: later changes do not count, and what could give away the answers (`evals`) is left out.
 * Throws `install_refused` and `io` for folders that cannot be copied.
 */
export async function copySkill({ parts, skill, into, cwd }: CopySkill): Promise<SkillCopy> {
  const { tree } = parts.host;
  const { digest } = digestSkill(tree, skill.folder);
  const folder = path.join(into, skill.name.replace(/[^A-Za-z0-9_.-]+/g, '-') || 'skill');
  await copyWithoutEvals(tree, skill.folder, folder);
  return { name: skill.name, what: skill.folder, folder, digest, trusted: parts.trust.of(skill, digest, [cwd]).trusted };
}

/** Copies what `against` means: a folder with a SKILL.md, or a git revision of the skill's own folder. Throws `not_found`. */
export async function copyAgainst(given: CopySkill & { readonly against: string }): Promise<SkillCopy> {
  const { parts: { host }, against, skill, cwd, into } = given;
  const folder = path.resolve(cwd, against);
  if (await isSkillFolder(folder)) {
    const { name } = await readDocument(host.tree, { folder, file: path.join(folder, 'SKILL.md') });
    return copySkill({ ...given, skill: { id: `path:${name}`, name, source: 'path', folder } });
  }
  const old = path.join(into, 'revision');
  await fs.mkdir(old, { recursive: true, mode: 0o700 });
  await writeRevision(given, against, old);
  if (!(await isSkillFolder(old))) throw new SkillmintError('not_found', `At the git revision ${against} there is no SKILL.md in ${skill.folder}.`);
  // Whether it is trusted depends on whose folder it was committed in, and on its own content.
  const copied = await copySkill({ ...given, skill: { ...skill, folder: old } });
  await fs.rm(old, { recursive: true, force: true });
  return { ...copied, what: `revision ${against} of ${skill.folder}`, trusted: given.parts.trust.of(skill, copied.digest, [cwd]).trusted };
}

async function isSkillFolder(folder: string): Promise<boolean> {
  try {
    return (await fs.stat(path.join(folder, 'SKILL.md'))).isFile();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return false;
    throw error;
  }
}

async function writeRevision({ parts: { host, env }, skill: { folder } }: CopySkill, revision: string, into: string): Promise<void> {
  const git = (args: readonly string[]): Promise<string | undefined> => runGit(host, env, folder, args);
  const commit = revision.startsWith('-') ? undefined : (await git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]))?.trim();
  if (!commit) throw new SkillmintError('not_found', `--against ${revision} is neither a folder with a SKILL.md nor a git revision in ${folder}.`);
  const names = await git(['ls-tree', '-r', '-z', '--name-only', commit, '--', '.']);
  for (const name of (names ?? '').split('\0').filter((one) => one !== '' && !one.split('/').includes('..'))) {
    const text = await git(['cat-file', 'blob', `${commit}:./${name}`]);
    if (text === undefined) throw new SkillmintError('io', `git cannot read ${name} of the revision ${revision} of ${folder}, or it is larger than ${MOST_ARCHIVE} bytes.`);
    const file = path.join(into, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, Buffer.from(text, 'latin1'), { mode: name.startsWith('scripts/') ? 0o755 : 0o644 });
  }
}

/** What git printed, one character for a byte; undefined where it failed. It fetches nothing: the config of a stranger's repository would name the program for that. */
async function runGit(host: Host, env: RuntimeParts['env'], cwd: string, args: readonly string[]): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  const kept = boundedOutput(MOST_ARCHIVE, () => undefined);
  const running = host.start({ argv: ['git', '-c', 'core.fsmonitor=false', ...args], cwd, env: { ...childEnvironment(env), GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' }, onOutput: (chunk, stream) => {
    const part = kept.add(chunk, stream);
    if (stream === 'stdout') chunks.push(Uint8Array.from(part));
  } });
  const { code } = await running.exit;
  return code === 0 && !kept.isCut() ? Buffer.concat(chunks).toString('latin1') : undefined;
}
