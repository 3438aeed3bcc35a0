import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { start, type Place, type Running, type StartOptions } from './program.ts';

const SCRIPT = `import { createRuntime } from ${JSON.stringify(pathToFileURL(path.resolve('dist/lib/index.js')).href)};
const texts = process.argv.slice(4);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const runtime = await createRuntime({ service: true });
const show = async (turn) => { for await (const event of turn.events) console.log(JSON.stringify(event)); };
const shown = [];
for (const text of texts) shown.push(show(await runtime.prompt({ text, cwd: process.cwd(), model: 'fake/m', mode: 'unrestricted', sandbox: 'off' })));
try {
  await runtime.work({ signal: stop.signal, onTurn: (turn) => shown.push(show(turn)), onFault: (id, error) => console.error(id + ': ' + error.message) });
} catch (error) {
  console.error(error.code + ': ' + error.message);
  process.exitCode = 1;
}
await runtime.close();
await Promise.allSettled(shown);
`;

/** Starts a program that uses the library as a server does: it begins turns with these texts, and works on what was cut off until SIGTERM. */
export function startService(place: Place, texts: readonly string[] = [], options: Pick<StartOptions, 'onLine' | 'onError'> = {}): Running {
  const script = path.join(place.root, 'service.mjs');
  fs.writeFileSync(script, SCRIPT);
  return start(place, texts, { ...options, through: [process.execPath, script] });
}
