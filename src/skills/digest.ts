import { createHash } from 'node:crypto';
import type { ReadTree } from '../host/host.ts';
import { messageOf } from '../protocol/errors.ts';
import type { SkillDiagnostic } from '../protocol/skill.ts';
import { listSkillFiles, MAX_SKILL_FILES } from './files.ts';
import { warning } from './read/diagnostic.ts';

/** Fingerprint of a skill: `sha256:` and 64 hex digits, or empty when the folder cannot be read. */
export interface SkillDigest {
  readonly digest: string;
  readonly diagnostics: readonly SkillDiagnostic[];
}

const MAX_BYTES = 200 * 1024 * 1024;

/**
 * Digest over the paths and contents of all files of a skill, in the order of their paths; each is a record of its own
 * that no name or content can imitate. Beyond 10,000 files or
 * 200 MiB the rest counts with its path and size alone, which is a diagnostic; so does a file that cannot be read.
 */
export function digestSkill(tree: ReadTree, folder: string): SkillDigest {
  const diagnostics: SkillDiagnostic[] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  const add = (...record: readonly (string | number)[]): void => void hash.update(`${JSON.stringify(record)}\n`);
  try {
    const { files, problems, links, truncated } = listSkillFiles(tree, folder);
    for (const problem of problems) {
      add('problem', problem);
      diagnostics.push(warning('file-unreadable', problem));
    }
    for (const link of links) add('link', link);
    for (const file of files) {
      bytes += file.size;
      if (bytes > MAX_BYTES) {
        add('beyond', file.path, file.size);
        continue;
      }
      try {
        add('file', file.path, createHash('sha256').update(tree.read(file.realPath)).digest('hex'));
      } catch (error) {
        add('unreadable', file.path, file.size);
        diagnostics.push(warning('file-unreadable', `${file.path}: ${messageOf(error)}`));
      }
    }
    if (truncated) diagnostics.push(warning('too-many-files', `the skill has more than ${MAX_SKILL_FILES} files; the rest is not part of its digest`));
    if (bytes > MAX_BYTES) diagnostics.push(warning('too-large', `the skill has ${bytes} bytes; beyond ${MAX_BYTES} only paths and sizes are part of its digest`));
  } catch (error) {
    return { digest: '', diagnostics: [warning('folder-unreadable', `${folder}: ${messageOf(error)}`)] };
  }
  return { digest: `sha256:${hash.digest('hex')}`, diagnostics };
}
