import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { executeSkill, type ExecuteOptions } from '../../src/runtime/execute/execute-skill.ts';
import { withoutBubblewrap } from '../sandbox/helpers.ts';
import { makePlace } from './open.ts';

describe.skipIf(withoutBubblewrap)('what rules give to a script (needs bubblewrap)', () => {
  it('variables and hosts that Env and Network rules name, and nothing without them; limits hold', async () => {
    const place = makePlace();
    const folder = path.join(place.data, 'skills/own');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: own\ndescription: x\n---\n\nBody.\n');
    const server = net.createServer((socket) => { socket.on('error', () => undefined); socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello'); }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    fs.writeFileSync(path.join(folder, 'index.mjs'), `
import net from 'node:net';
console.log(process.env.GIVEN ?? 'none', await new Promise((done) => { let text = ''; const s = net.connect(${port}, '127.0.0.1', () => s.write('GET / HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n')); s.on('data', (d) => (text += d)); s.on('close', () => done(text.slice(-5))); s.on('error', (e) => done(e.code)); }));`);
    const run = (allow: readonly string[], more: ExecuteOptions = {}) => executeSkill('own', [], { env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: place.home, GIVEN: 'given' }, home: place.home, dataFolder: place.data, cwd: place.project, settings: { permissions: { allow } }, ...more });
    expect(await run([])).toMatchObject({ stdout: 'none ECONNREFUSED\n' });
    expect(await run(['Env(GIVEN)', `Network(localhost:${port})`])).toMatchObject({ stdout: 'given hello\n', sandbox: 'isolated' });
    fs.writeFileSync(path.join(folder, 'index.mjs'), `const all = []; for (;;) all.push(Buffer.alloc(50_000_000, 1));`);
    expect(await run([])).toMatchObject({ sandbox: 'isolated', notes: [expect.stringContaining('Out of memory')] });
  });
});
