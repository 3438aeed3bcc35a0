// Ranks the documents of a retrieval set for each of its questions with the index that `skillmint skills search` asks.
// npm run bench:retrieval -- SET_DIR RUN_FILE [--bodies SKILLS_JSONL_GZ]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { importSources } from '../scripts/lib/import-sources.mjs';
import { lexiconFile } from '../scripts/lib/lexicon-file.mjs';
import { readJsonLines, SetError } from './lib/json-lines.mjs';
import { skillsInMemory } from './lib/skills-in-memory.mjs';

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

/** Documents of a set as texts of a SKILL.md; where the file of bodies has a document, with its instructions and all that is searched of its frontmatter. */
async function skillTexts(docs, bodies, { readSkillMd, loadYamlReader, indexText }) {
  const rows = new Map(bodies === undefined ? [] : readJsonLines(bodies).map((row) => [row.id, row]));
  const yaml = rows.size > 0 ? await loadYamlReader() : undefined;
  const report = progress('documents read', docs.length);
  return docs.map(({ id, name, description, tags }, i) => {
    report(i);
    const row = rows.get(id);
    if (row?.body === undefined) return { name, text: skillText({ name, description, tags, body: '' }) };
    const { frontmatter, body } = readSkillMd(Buffer.from(row.frontmatter ? `---\n${row.frontmatter}\n---\n${row.body}` : row.body), { folderName: name, yaml });
    return { name, text: skillText(indexText({ name, description, frontmatter }, body)) };
  });
}

function skillText({ name, description, whenToUse, tags, body }) {
  const fields = Object.entries({ name, description, when_to_use: whenToUse, tags }).filter(([, value]) => value !== undefined);
  return `---\n${fields.map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`).join('')}---\n\n${body}\n`;
}

async function main({ set, run, bodies }) {
  const [docs, queries] = ['docs', 'queries'].map((name) => readJsonLines(path.join(set, `${name}.jsonl`)));
  const sources = ['read/read-skill-md', 'read/load-yaml', 'search/index-text', 'search/lexicon', 'index/skill-index'].map((file) => path.join(root, 'src/skills', `${file}.ts`));
  const { openLexicon, SkillIndex, ...reading } = Object.assign({}, ...(await importSources(sources)));
  const home = '/home/person';
  const { tree, indexOf } = skillsInMemory(home, await skillTexts(docs, bodies, reading));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-retrieval-'));
  const index = new SkillIndex({ tree, file: path.join(folder, 'skills.db'), program: 'bench', worker: 'bench', now: Date.now });
  try {
    const lexicon = openLexicon(await lexiconFile(root));
    const options = { tree, cwd: home, home, dataFolder: path.join(home, '.skillmint'), env: {}, visibilityKey: '', budgetMs: 0, lexicon: () => lexicon };
    const indexed = progress('documents indexed', docs.length);
    await index.fill((await index.openView(options)).roots, { progress: ({ done }) => indexed(done) });
    const { view } = await index.openView(options);
    fs.writeFileSync(run, await ranked(view, { docs, queries, indexOf }));
  } finally {
    await index.close();
    fs.rmSync(folder, { recursive: true });
  }
}

async function ranked(view, { docs, queries, indexOf }) {
  const report = progress('questions ranked', queries.length);
  const lines = [];
  for (const [i, { id, text }] of queries.entries()) {
    report(i);
    for (const { entry, score } of await view.rank(text, MOST_RESULTS)) if (score > 0) lines.push(`${id}\t${docs[indexOf(entry)].id}\t${score.toFixed(6)}\n`);
  }
  return lines.join('');
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
