import type { ReadTree } from '../../host/host.ts';
import { textHash } from '../../util/text-hash.ts';
import { skillSignature, type SkillFolder } from '../discover/signature.ts';

/** A skill's signature as the index keeps it: a number that stands for the text. Undefined where there is none. */
export function fileSignature(tree: ReadTree, at: SkillFolder, now: () => number): number | undefined {
  const text = skillSignature(tree, at, now);
  return text === undefined ? undefined : textHash(text);
}
