// A test without a model and without the network. node docs/examples/testing.mjs
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRuntime } from 'skillmint';
import { scriptedModel, startFakeProvider } from 'skillmint/testing';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'example-'));
fs.writeFileSync(path.join(folder, 'a.txt'), 'forty-two\n');

// In memory: the model is a list of replies; tools, permissions and the log are the real ones.
const model = scriptedModel([
  { text: 'I look.', calls: [{ tool: 'Read', input: { file_path: 'a.txt' } }] },
  (request) => (JSON.stringify(request.messages).includes('forty-two') ? 'It says forty-two.' : 'I saw nothing.'),
]);
const runtime = await createRuntime({ model, dataFolder: path.join(folder, 'data') });
const turn = await runtime.prompt({ text: 'What does a.txt say?', cwd: folder });
assert.equal((await turn.result).text, 'It says forty-two.');
await runtime.close();

// Over HTTP: a provider that is overloaded first; the request is made again.
const provider = await startFakeProvider({ steps: [{ status: 529, body: { error: { type: 'overloaded_error', message: 'later' } } }, 'Hello.'] });
const settings = { model: 'fake/any', providers: { fake: { api: 'anthropic', baseUrl: provider.url } } };
const overHttp = await createRuntime({ settings, ephemeral: true });
const retried = await overHttp.prompt({ text: 'Hello?', cwd: folder, tools: 'none' });
assert.equal((await retried.result).text, 'Hello.');
assert.equal(provider.requests.length, 2);
await overHttp.close();
await provider.close();

fs.rmSync(folder, { recursive: true });
process.stdout.write('ok\n');
