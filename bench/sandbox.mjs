// Measures what the sandbox adds to a command: pairs of a bare and a sandboxed one, side by side through the library.
// npm run bench:sandbox -- [--pairs N] [--grant RULE]... ; run `npm run build` first. Prints medians and JSON.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createRuntime } from '../dist/lib/index.js';
import { scriptedModel } from '../dist/lib/testing.js';

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '30' }, grant: { type: 'string', multiple: true, default: [] } } });
const pairs = Number(values.pairs);
const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-bench-sandbox-')));

async function open(sandbox) {
  const home = path.join(root, sandbox);
  const project = path.join(home, 'project');
  fs.mkdirSync(project, { recursive: true });
  const steps = Array.from({ length: pairs + 1 }, () => [{ calls: [{ tool: 'Bash', input: { command: '/bin/true' } }] }, 'done']).flat();
  const env = { PATH: process.env.PATH, HOME: home };
  const runtime = await createRuntime({ env, home, dataFolder: path.join(home, 'data'), model: scriptedModel(steps), settings: { sandbox, permissions: { mode: 'unrestricted', allow: values.grant } } });
  let sessionId;
  /** ms from the call to its result. */
  const once = async () => {
    const turn = await runtime.prompt(sessionId === undefined ? { text: 'go', cwd: project } : { text: 'go', sessionId });
    let began = 0;
    let took = 0;
    for await (const event of turn.events) {
      if (event.type === 'tool.started') began = performance.now();
      if (event.type === 'tool.completed') {
        took = performance.now() - began;
        if (event.status !== 'ok') throw new Error(`the command failed: ${JSON.stringify(event.output)}`);
      }
    }
    sessionId = (await turn.result).session_id;
    return took;
  };
  return { once, close: () => runtime.close() };
}

const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

try {
  const bare = await open('off');
  const inside = await open('required');
  const first = { bare: await bare.once(), sandboxed: await inside.once() };
  const times = { bare: [], sandboxed: [] };
  for (let i = 0; i < pairs; i++) {
    times.bare.push(await bare.once());
    times.sandboxed.push(await inside.once());
  }
  await bare.close();
  await inside.close();
  const result = { pairs, first_ms: { bare: first.bare, sandboxed: first.sandboxed }, median_ms: { bare: median(times.bare), sandboxed: median(times.sandboxed) }, overhead_ms: median(times.sandboxed.map((time, i) => time - times.bare[i])), load: os.loadavg()[0] };
  console.log(`bare ${result.median_ms.bare.toFixed(1)} ms, sandboxed ${result.median_ms.sandboxed.toFixed(1)} ms: ${result.overhead_ms.toFixed(1)} ms more (median of ${pairs} pairs; at most 25 ms are promised)`);
  console.log(JSON.stringify(result));
} finally {
  fs.rmSync(root, { recursive: true, force: true });
}
