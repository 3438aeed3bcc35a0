// Ranks the documents of a retrieval set for each of its questions, exactly as `skillmint skills search` ranks skills.
// npm run bench:retrieval -- SET_DIR RUN_FILE [--bodies SKILLS_JSONL_GZ]
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { importSources } from '../scripts/lib/import-sources.mjs';
import { lexiconFile } from '../scripts/lib/lexicon-file.mjs';
import { readJsonLines, SetError } from './lib/json-lines.mjs';

const USAGE = 'usage: npm run bench:retrieval -- SET_DIR RUN_FILE [--bodies SKILLS_JSONL_GZ]';
const MOST_RESULTS = 50;
const PROGRESS_MS = 1_000;
const root = path.resolve(import.meta.dirname, '..');

function request() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { bodies: { type: 'string' } } });
    const [set, run] = positionals;
    return set === undefined || run === undefined || positionals.length > 2 ? undefined : { set, run, bodies: values.bodies };
  } catch (error) {
    if (error.code?.startsWith('ERR_PARSE_ARGS')) return undefined;
    throw error;
  }
}

/** Says how far a long step is, once a second. */
function progress(what, total) {
  let next = performance.now() + PROGRESS_MS;
  return (done) => {
    if (performance.now() < next) return;
    next = performance.now() + PROGRESS_MS;
    process.stderr.write(`${what}: ${done} of ${total}\n`);
  };
}

/** Documents of a set as searched texts; where the file of bodies has a document, with its instructions and the rest of its frontmatter. */
async function searchedTexts(docs, bodies) {
  const [{ readSkillMd }, { loadYamlReader }, { indexText }] = await importSources(['read/read-skill-md', 'read/load-yaml', 'search/index-text'].map((file) => path.join(root, 'src/skills', `${file}.ts`)));
  const rows = new Map(bodies === undefined ? [] : readJsonLines(bodies).map((row) => [row.id, row]));
  const yaml = rows.size > 0 ? await loadYamlReader() : undefined;
  const report = progress('documents read', docs.length);
  return docs.map(({ id, name, description, tags }, i) => {
    report(i);
    const row = rows.get(id);
    if (row?.body === undefined) return { name, description, tags };
    const text = row.frontmatter ? `---\n${row.frontmatter}\n---\n${row.body}` : row.body;
    const { frontmatter, body } = readSkillMd(Buffer.from(text), { folderName: name, yaml });
    return indexText({ name, description, frontmatter }, body);
  });
}

async function main({ set, run, bodies }) {
  const [docs, queries] = ['docs', 'queries'].map((name) => readJsonLines(path.join(set, `${name}.jsonl`)));
  const [{ createRanker }, { openLexicon }] = await importSources(['ranker', 'lexicon'].map((name) => path.join(root, 'src/skills/search', `${name}.ts`)));
  const ranker = createRanker(await searchedTexts(docs, bodies), openLexicon(await lexiconFile(root)));
  const report = progress('questions ranked', queries.length);
  const lines = queries.flatMap(({ id, text }, i) => {
    report(i);
    return ranker.rank(text, MOST_RESULTS).map(({ index, score }) => `${id}\t${docs[index].id}\t${score.toFixed(6)}\n`);
  });
  fs.writeFileSync(run, lines.join(''));
}

const wanted = request();
if (wanted === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  try {
    await main(wanted);
  } catch (error) {
    if (!(error instanceof SetError) && error.syscall === undefined) throw error;
    process.stderr.write(`bench:retrieval: ${error.message}\n`);
    process.exitCode = 1;
  }
}
