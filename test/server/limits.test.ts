import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AppEnv } from '../../src/server/app-env.ts';
import { errorAnswer } from '../../src/server/http-error.ts';
import { listen } from '../../src/server/listen.ts';
import { readBytes } from '../../src/server/request-body.ts';
import { loginCookies } from '../../src/server/login/login-cookie.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { withoutBubblewrap } from '../e2e/program.ts';
import { openServer, request } from './open-server.ts';

const CANARY = 'canary-outside-of-the-skill';
const SKILL = { name: 'plans', description: 'Plans.', instructions: 'Plan.', source: 'user' };

describe('a path in an address', () => {
  it.each(['%2e%2e%2fsecret.txt', '%2e%2e/secret.txt', '%252e%252e%252fsecret.txt', '..%5csecret.txt', '..%2fsecret.txt', '%2fetc%2fpasswd', '/etc/passwd', '//etc/passwd', 'SKILL.md%00.txt', '%00', 'link.txt', 'out/secret.txt', '..;/secret.txt', '%c0%ae%c0%ae/secret.txt', '....//secret.txt', 'scripts/../../secret.txt', '%zz'])('leads out of no skill: %s (C-F3)', async (at) => {
    const { ask, place } = await openServer(scriptedModel([]));
    const made = await ask('POST', '/api/skills', { body: SKILL });
    const folder = path.join(place.data, 'skills', 'plans');
    fs.writeFileSync(path.join(place.data, 'skills', 'secret.txt'), CANARY);
    fs.symlinkSync('../secret.txt', path.join(folder, 'link.txt'));
    fs.symlinkSync('..', path.join(folder, 'out'));
    const id = encodeURIComponent(String(made.json['id']));
    const answer = await ask('GET', `/api/skills/${id}/files/${at}`);
    expect([answer.status >= 400 && answer.status < 500, answer.text.includes(CANARY), /root:/.test(answer.text)]).toEqual([true, false, false]);
    expect((await ask('GET', `/api/skills/${id}/files/SKILL.md`)).status).toBe(200);
  });

  it.each(['/%2e%2e/%2e%2e/package.json', '/assets/../../package.json', '/..%2fpackage.json', '/assets/%2e%2e%5cindex.html', '/chat/%2e%2e%2f%2e%2e', '/index.html%00.js'])('leads to no file beside the pages: %s (C-F3)', async (at) => {
    const { bare } = await openServer(scriptedModel([]));
    const { status, text } = await bare('GET', at);
    expect([status, text.includes('"devDependencies"')]).not.toEqual([200, true]);
    if (status === 200) expect(text).toContain('<!doctype html>');
  });
});

describe('a body', () => {
  it.each([
    ['/api/login', 10_001, 'application/json'], ['/api/sessions', 1_048_577, 'application/json'], ['/api/skills/install', 50 * 1_048_576 + 1, 'application/zip'],
  ])('that is too large for %s is refused before it came (%i bytes)', async (at, size, type) => {
    const { ask, bare, port, server } = await openServer(scriptedModel([]));
    const head = `POST ${at} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n`;
    const answer = await new Promise<string>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write(head));
      socket.setEncoding('utf8').once('data', (text: string) => {
        resolve(text);
        socket.destroy();
      });
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"output_limit"');
    expect((await bare('GET', '/health')).status).toBe(200);
    expect((await ask('GET', '/api/sessions')).json['sessions']).toEqual([]);
  });

  it('that is no archive is refused in a sentence that names it', async () => {
    const { ask } = await openServer(scriptedModel([]));
    for (const body of [Buffer.from('no zip'), Buffer.from('PK\u0003\u0004 broken'), Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(0)]) {
      const { status, json } = await ask('POST', '/api/skills/install?name=plans.zip', { headers: { 'content-type': 'application/zip' }, body });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(json).toEqual({ error: expect.stringMatching(/\.$/), code: expect.any(String) });
    }
  });
});

describe('clients that are slow', () => {
  it('are left when their time is over, each with an answer, while others are answered', async () => {
    const faults: unknown[] = [];
    const app = new Hono<AppEnv>();
    app.post('/', async (context) => context.text(Buffer.from(await readBytes(context.req.raw, 1_000_000)).toString('utf8')));
    app.onError((error) => errorAnswer(error, (fault) => faults.push(fault)));
    const listening = await listen({ app: () => app, host: '127.0.0.1', port: 0, limits: { headMs: 500, wholeMs: 1_000, lookMs: 50 } });
    onTestFinished(() => listening.close(0));
    const slow = (begin: string): Promise<string> => new Promise((resolve) => {
      let text = '';
      let drip: NodeJS.Timeout | undefined;
      const socket = net.connect(listening.port, '127.0.0.1', () => {
        socket.write(begin);
        drip = setInterval(() => socket.write('a'), 50);
      });
      socket.setEncoding('utf8').on('data', (more: string) => { text += more; });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        resolve(text);
      });
    });
    const many = [...Array.from({ length: 100 }, () => slow('POST / HTTP/1.1\r\nHost: x\r\nX-Slow: ')), ...Array.from({ length: 20 }, () => slow('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'))];
    expect((await request(listening.port, 'POST', '/', { body: 'quick' })).text).toBe('quick');
    for (const answer of await Promise.all(many)) expect(answer).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
    expect((await request(listening.port, 'POST', '/', { body: 'quick' })).text).toBe('quick');
    expect(faults).toEqual([]);
  });
});

it('a cookie that is over lets nobody in', () => {
  let now = Date.UTC(2026, 0, 1);
  const cookies = loginCookies({ secret: 'a-secret-of-the-server', port: () => 1, now: () => now, stampOf: (name) => (name === 'ada' ? 'stamp' : undefined) });
  const cookie = cookies.give('ada', { secure: false }).split(';')[0];
  expect(cookies.read(cookie)).toBe('ada');
  now += 30 * 24 * 3_600_000 + 1_000;
  expect(cookies.read(cookie)).toBeUndefined();
});

describe.skipIf(withoutBubblewrap)('a fork bomb in a script (needs bubblewrap)', () => {
  it('does not keep the server from answering (C-L3)', { timeout: 60_000 }, async () => {
    const { ask, bare, place } = await openServer(scriptedModel([]));
    await ask('POST', '/api/skills', { body: SKILL });
    const scripts = path.join(place.data, 'skills', 'plans', 'scripts');
    fs.mkdirSync(scripts, { recursive: true });
    fs.writeFileSync(path.join(scripts, 'bomb.sh'), '#!/bin/sh\nbomb() { bomb & bomb; }\nbomb\n', { mode: 0o755 });
    let over = false;
    const bomb = ask('POST', '/api/skills/plans/exec', { body: { script: 'scripts/bomb.sh', timeout_ms: 3_000 } }).finally(() => { over = true; });
    let answers = 0;
    while (!over) {
      expect((await bare('GET', '/health')).status).toBe(200);
      answers += 1;
    }
    expect((await bomb).status).toBe(200);
    expect(answers).toBeGreaterThan(5);
  });
});
