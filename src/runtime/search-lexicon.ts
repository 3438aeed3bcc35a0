import path from 'node:path';
import { openLexicon, type Lexicon } from '../skills/search/lexicon.ts';
import { packageRoot } from './package-root.ts';

/** The dictionary that comes with the program, opened when the first question is ranked. @throws SkillmintError io where it is missing */
export function searchLexicon(): () => Lexicon {
  let opened: Lexicon | undefined;
  return () => (opened ??= openLexicon(path.join(packageRoot(), 'dist', 'lexicon.txt')));
}
