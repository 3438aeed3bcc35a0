import path from 'node:path';
import type { Lexicon } from '../skills/search/lexicon.ts';
import { packageRoot } from './package-root.ts';

/** The dictionary that comes with the program, opened when the first question is ranked. Rejects with `io` where it is missing. */
export function searchLexicon(): () => Promise<Lexicon> {
  let opened: Promise<Lexicon> | undefined;
  return () => {
    opened ??= import('../skills/search/lexicon.ts').then(({ openLexicon }) => openLexicon(path.join(packageRoot(), 'dist', 'lexicon.txt')));
    return opened;
  };
}
