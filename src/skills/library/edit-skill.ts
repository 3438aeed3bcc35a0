import fs from 'node:fs/promises';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { digestSkill } from '../digest.ts';
import { loadYamlReader } from '../read/load-yaml.ts';
import { commitChange, finishAbandoned } from './commit-change.ts';
import { editDescription } from './edit-description.ts';
import { exists } from './exists.ts';
import { goneSkill } from './gone-skill.ts';
import { inLibrary, type SkillLibrary } from './library-folder.ts';
import { withLibraryLock } from './library-lock.ts';
import { lockFiles, readLockFile } from './lock-file.ts';
import { refusal } from './refusal.ts';
import { stagedFolder } from './work-folder.ts';

/** Which skill is edited, and how. */
export interface EditOptions {
  readonly tree: ReadTree;
  /** The folder that holds the skill's folder. */
  readonly library: SkillLibrary;
  /** Name of the skill's folder. */
  readonly name: string;
  /** Name of its SKILL.md, in whatever letter case. */
  readonly file: string;
  readonly description: string;
}

/** The skill before and after: whoever trusted the one may trust the other, since the person made the difference. */
export interface EditResult {
  readonly before: string;
  readonly after: string;
}

/**
 * Gives a skill another description, in its SKILL.md and nowhere else; the lock file learns of it in the same step.
 * Throws `install_refused` where that cannot be done, `skill_not_found`, `library_invalid`, `library_busy`, `path_refused` and `io`.
 */
export async function editSkill({ tree, library, name, file, description }: EditOptions): Promise<EditResult> {
  return inLibrary(library, (open, workspace) => withLibraryLock(open.folder, async () => {
    await finishAbandoned(open);
    const folder = path.join(open.folder, name);
    if (!(await exists(path.join(folder, file)))) throw goneSkill(name, open.folder);
    if ((await fs.lstat(folder)).isSymbolicLink()) throw refusal(`${folder} is a link to ${await fs.readlink(folder)}; edit the skill there`);
    const main = path.join(folder, file);
    if ((await fs.lstat(main)).isSymbolicLink()) throw refusal(`${path.join(folder, file)} is a link to ${await fs.readlink(main)}; edit that file`);
    const before = digestSkill(tree, folder).digest;
    const bytes = editDescription(tree.read(main), { description, folderName: name, yaml: await loadYamlReader() });
    const after = lockFiles(withFile(tree, main, bytes), folder);
    const staged = path.join(stagedFolder(workspace.folder), name, file);
    await fs.mkdir(path.dirname(staged), { recursive: true });
    await fs.writeFile(staged, bytes, { mode: (await fs.stat(main)).mode & 0o777 });
    const entry = readLockFile(open.folder)[name];
    const lock = entry === undefined ? {} : { [name]: { ...entry, ...after, description } };
    await commitChange(open, workspace.folder, { put: [], drop: [], rewrite: [{ name, file }], lock });
    return { before, after: after.digest };
  }));
}

/** The tree as it will be when this file has this content. */
function withFile(tree: ReadTree, file: string, bytes: Uint8Array): ReadTree {
  return {
    ...tree,
    stat: (at) => (at === file ? { ...tree.stat(at), size: bytes.length } : tree.stat(at)),
    read: (at) => (at === file ? bytes : tree.read(at)),
  };
}
