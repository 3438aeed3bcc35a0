import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Starts the built `skillmint serve` on a free port, with its data and a project in `root` and the scripted model; resolves with address
 * and token when it listens. Sessions are kept in `database`, where one is given.
 */
export function startServer({ root, modelUrl, database }) {
  const data = path.join(root, '.skillmint');
  const project = path.join(root, 'project');
  for (const folder of [data, project]) fs.mkdirSync(folder, { mode: 0o700, recursive: true });
  fs.writeFileSync(path.join(data, 'config.json'), JSON.stringify({ model: 'fake/m', sandbox: 'off', providers: { fake: { api: 'openai-chat', baseUrl: modelUrl, apiKey: 'k', models: [{ id: 'm', contextWindow: 200_000 }] } } }), { mode: 0o600 });
  const child = spawn(process.execPath, [path.resolve('dist/cli.js'), 'serve', '--port', '0', '--json'], { cwd: project, env: { PATH: process.env.PATH, HOME: root, SKILLMINT_HOME: data, ...(database ? { SKILLMINT_DATABASE: database } : {}) }, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`serve ended with ${code}`)));
    child.stdout.once('data', (line) => resolve({ child, project, ...JSON.parse(String(line)) }));
  });
}
