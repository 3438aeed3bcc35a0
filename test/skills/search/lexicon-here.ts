import path from 'node:path';
import { lexiconFile } from '../../../scripts/lib/lexicon-file.mjs';
import { openLexicon, type Lexicon } from '../../../src/skills/search/lexicon.ts';

/** The dictionary as it ships, built when it is not there. */
export async function lexiconHere(): Promise<Lexicon> {
  return openLexicon(await lexiconFile(path.resolve(import.meta.dirname, '../../..')));
}
