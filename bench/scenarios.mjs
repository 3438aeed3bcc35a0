import fs from 'node:fs';
import path from 'node:path';
import { runNode } from './measure.mjs';

const TOOL_TURNS = 20;
const SKILLS = 200;
const ANSWER = 'Hello from the benchmark.';
const PROMPT = 'Say hello.';

/** A folder of its own for one run: home, data, project. */
function makePlace(root, name, providerUrl) {
  const place = path.join(root, name);
  const [home, data, project] = ['home', 'data', 'project'].map((folder) => path.join(place, folder));
  for (const folder of [home, data, project]) fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(project, 'notes.txt'), 'one\ntwo\nthree\n');
  const models = [{ id: 'bench-model', contextWindow: 200_000, maxOutput: 32_000 }];
  fs.writeFileSync(path.join(data, 'config.json'), JSON.stringify({ providers: { bench: { api: 'openai-chat', baseUrl: providerUrl, apiKey: 'none', models } } }), { mode: 0o600 });
  const env = { PATH: process.env.PATH, HOME: home, SKILLMINT_HOME: data, LANG: 'C.UTF-8', NO_COLOR: '1' };
  return { home, data, project, env };
}

function writeSkills(folder) {
  for (let i = 1; i <= SKILLS; i += 1) {
    const skill = path.join(folder, `bench-skill-${i}`);
    fs.mkdirSync(skill, { recursive: true });
    fs.writeFileSync(path.join(skill, 'SKILL.md'), `---\nname: bench-skill-${i}\ndescription: Number ${i} of the generated skills, which does nothing but be listed.\n---\n\n# Skill ${i}\n\nNothing to do.\n`);
  }
}

/** One exchange with the fake provider: when the requests came, and how long it all took. */
async function exchange({ root, startFakeProvider, round, name, turns, argsFor }) {
  const arrivals = [];
  const place = path.join(root, `${round}-${name}-${turns}`);
  const file = path.join(place, 'project', 'notes.txt');
  const step = (reply) => () => {
    arrivals.push(performance.now());
    return reply;
  };
  const calls = Array.from({ length: turns }, (_, i) => step({ calls: [{ id: `call_${i + 1}`, name: 'Read', input: { file_path: file, offset: 1, limit: 10 + i } }] }));
  const provider = await startFakeProvider({ steps: [...calls, step(ANSWER)], strictPairing: true });
  try {
    const { env, project } = makePlace(root, path.basename(place), provider.url);
    const { started, wallMs, peakMb, stdout } = await runNode(argsFor(provider.url), { env, cwd: project });
    if (!stdout.includes(ANSWER)) throw new Error(`${name} did not print the answer: ${stdout}`);
    if (arrivals.length !== turns + 1) throw new Error(`${name} made ${arrivals.length} requests instead of ${turns + 1}`);
    return { firstMs: arrivals[0] - started, wallMs, peakMb, turnMs: turns > 0 ? (arrivals.at(-1) - arrivals[0]) / turns : undefined, bytes: Buffer.byteLength(provider.requests[0].text) };
  } finally {
    await provider.close();
  }
}

/** All figures of one round, ours and those of plain Node beside each other; the order changes from round to round. */
export async function runRound({ root, round, cli, floor, startFakeProvider, sandbox }) {
  const ours = (url) => (url ? [cli, 'run', PROMPT, '--model', 'bench/bench-model', '--sandbox', sandbox] : []);
  const plain = (url) => [floor, url, PROMPT];
  const place = makePlace(root, `${round}-listing`, 'http://127.0.0.1:9/v1');
  writeSkills(path.join(place.data, 'skills'));
  const at = { env: place.env, cwd: place.project };
  const list = async () => {
    const { wallMs, stdout } = await runNode([cli, 'skills', 'list', '--json'], at);
    const found = JSON.parse(stdout).skills.filter(({ name }) => name.startsWith('bench-skill-')).length;
    if (found !== SKILLS) throw new Error(`skills list shows ${found} of ${SKILLS} skills`);
    return { wallMs };
  };
  const jobs = {
    node: () => runNode(['-e', '0'], at),
    version: () => runNode([cli, '--version'], at),
    list,
    plainHello: () => exchange({ root, startFakeProvider, round, name: 'plain', turns: 0, argsFor: plain }),
    hello: () => exchange({ root, startFakeProvider, round, name: 'skillmint', turns: 0, argsFor: ours }),
    plainTurns: () => exchange({ root, startFakeProvider, round, name: 'plain', turns: TOOL_TURNS, argsFor: plain }),
    turns: () => exchange({ root, startFakeProvider, round, name: 'skillmint', turns: TOOL_TURNS, argsFor: ours }),
  };
  const names = Object.keys(jobs);
  const results = {};
  for (const name of round % 2 === 0 ? names : names.toReversed()) results[name] = await jobs[name]();
  return results;
}
