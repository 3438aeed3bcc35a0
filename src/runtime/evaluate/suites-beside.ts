import path from 'node:path';
import { looksLikeEvals, looksLikeTriggers } from '../../evaluate/suites/suite-shape.ts';
import { OUTPUT_FILE, TRIGGER_FILES } from '../../evaluate/suites/suite-files.ts';
import type { ReadTree } from '../../host/host.ts';
import { isInside } from '../../host/paths.ts';
import { systemCode } from '../../protocol/errors.ts';

const MOST_BYTES = 10 * 1024 * 1024;

/** Files beside SKILL.md whose names are those of suites, absolute. */
export interface SuitesBeside {
  readonly output: readonly string[];
  readonly triggers: readonly string[];
  /** They do not have the form of a suite: the skill may mean them as its own data. */
  readonly ownOutput: readonly string[];
  readonly ownTriggers: readonly string[];
}

/** There are none. */
export const NO_SUITES: SuitesBeside = { output: [], triggers: [], ownOutput: [], ownTriggers: [] };

/** Looks at the files beside SKILL.md: what a name says is not enough there, it has to be a suite by its form. */
export function suitesBeside(tree: ReadTree, folder: string): SuitesBeside {
  const split = (names: readonly string[], looks: (text: string) => boolean): { readonly suites: readonly string[]; readonly own: readonly string[] } => {
    const found = names.map((name) => path.join(folder, name)).flatMap((file) => {
      const text = textOf(tree, folder, file);
      // What a link leads to outside is not looked at; whoever takes it for a suite refuses it.
      return text === undefined ? [] : [{ file, isSuite: text === 'elsewhere' || looks(text) }];
    });
    return { suites: found.filter(({ isSuite }) => isSuite).map(({ file }) => file), own: found.filter(({ isSuite }) => !isSuite).map(({ file }) => file) };
  };
  const [output, triggers] = [split([OUTPUT_FILE], looksLikeEvals), split(TRIGGER_FILES, looksLikeTriggers)];
  return { output: output.suites, triggers: triggers.suites, ownOutput: output.own, ownTriggers: triggers.own };
}

/** Undefined where there is no such file, `elsewhere` for a link that leads out of the folder. One that is too large to be looked at has no form. */
function textOf(tree: ReadTree, folder: string, file: string): string | undefined {
  try {
    const { kind, size } = tree.stat(file);
    if (kind !== 'file') return undefined;
    if (!isInside(tree.realPath(folder), tree.realPath(file))) return 'elsewhere';
    return size > MOST_BYTES ? '' : new TextDecoder().decode(tree.read(file));
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return undefined;
  }
}
