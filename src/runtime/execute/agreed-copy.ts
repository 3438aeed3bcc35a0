import fs from 'node:fs';
import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { localTree } from '../../host/local-tree.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import { listSkillFiles } from '../../skills/files.ts';

/** What was agreed to. */
export interface AgreedSkill {
  readonly id: string;
  readonly folder: string;
  /** Of its whole content. */
  readonly digest: string;
}

/**
 * Copies a skill into `to`, which is not there yet, for a run that nobody but this process can change: whatever happens to the
 * skill after the agreement, what runs is what was agreed to. Resolves to the real path of the copy.
 * Rejects with `not_trusted` when the skill is another by now, and when it cannot be copied as a whole.
 */
export function copyAgreed(tree: ReadTree, { id, folder, digest }: AgreedSkill, to: string): string {
  const { files, links } = listSkillFiles(tree, folder);
  fs.mkdirSync(to, { mode: 0o700 });
  for (const { path: file, realPath } of files) {
    const target = path.join(to, file);
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    fs.writeFileSync(target, tree.read(realPath), { mode: (tree.stat(realPath).mode & 0o111) === 0 ? 0o600 : 0o700 });
  }
  for (const link of links) {
    const [at = '', target = ''] = link.split(' -> ');
    fs.mkdirSync(path.dirname(path.join(to, at)), { recursive: true, mode: 0o700 });
    fs.symlinkSync(path.relative(path.dirname(at), target) || '.', path.join(to, at));
  }
  if (digestSkill(localTree(), to).digest !== digest) throw new SkillmintError('not_trusted', `The skill ${id} is not as it was when its script was agreed to, so nothing was run. Ask again: the person decides about what is there now.`);
  return fs.realpathSync(to);
}
