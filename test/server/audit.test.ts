import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../src/server/audit/audit-log.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { makePlace } from '../runtime/open.ts';
import { openUsers, PASSWORD } from './open-users.ts';

const SECRET = 'sk-secret-in-a-setting';

describe('the audit log', () => {
  it('says who did what to what, from where, and nothing that is secret', async () => {
    const server = await openUsers({ model: scriptedModel([{ calls: [{ tool: 'Write', input: { file_path: 'a.txt', content: 'x' } }] }, 'written']), proxies: ['127.0.0.1'] });
    const ada = await server.user('ada');
    const from = { 'x-forwarded-for': '203.0.113.9' };
    await server.bare('POST', '/api/login', { headers: from, body: { name: 'ada', password: 'wrong password' } });
    await server.bare('POST', '/api/login', { headers: from, body: { name: 'ada', password: PASSWORD } });
    const skill = encodeURIComponent(String((await ada.ask('POST', '/api/skills', { body: { name: 'plans', description: 'Plans.', instructions: 'Plan.', source: 'user' } })).json['id']));
    const examined = await ada.ask('GET', `/api/skills/${skill}/trust`);
    const report: unknown = examined.json['report'];
    const digest = typeof report === 'object' && report !== null && 'digest' in report ? report.digest : '';
    await ada.ask('POST', `/api/skills/${skill}/trust`, { body: { digest } });
    await ada.ask('POST', `/api/skills/${skill}/exec`, { body: { script: 'none.sh' } });
    await ada.ask('DELETE', `/api/skills/${skill}`, { body: {} });
    await ada.ask('PUT', '/api/settings', { body: { key: 'userPrompt', value: SECRET } });
    const id = String((await ada.ask('POST', '/api/sessions', { body: {} })).json['id']);
    await ada.ask('POST', `/api/sessions/${id}/messages`, { body: { text: `write ${SECRET}` } });
    await expect.poll(async () => (await ada.ask('GET', `/api/sessions/${id}`)).json['status']).toBe('waiting');
    await ada.ask('POST', `/api/sessions/${id}/answers`, { body: { decision: 'deny', reason: SECRET } });
    await expect.poll(async () => (await ada.ask('GET', `/api/sessions/${id}`)).json['status']).toBe('done');
    const loose = (await ada.ask('POST', '/api/sessions', { body: { mode: 'acceptEdits' } })).json['id'];
    await ada.ask('GET', `/api/sessions/${id}/export`);
    await ada.ask('DELETE', `/api/sessions/${id}`, { body: {} });
    await server.root.ask('POST', '/api/mcp/servers', { body: { name: 'helper', command: 'false', env: { TOKEN: SECRET } } });
    const entries = server.audit();
    expect(entries.map(({ what, user, id: of, detail }) => [what, user, of, detail])).toEqual([
      ['login failed', undefined, undefined, 'ada'], ['login', 'ada', undefined, undefined],
      ['skill created', 'ada', 'user:plans', undefined], ['skill trusted', 'ada', 'user:plans', undefined], ['skill removed', 'ada', 'user:plans', undefined],
      ['setting changed', 'ada', 'userPrompt', undefined], ['permission answered', 'ada', id, 'deny once'], ['session made', 'ada', loose, 'acceptEdits'], ['session exported', 'ada', id, undefined], ['session removed', 'ada', id, undefined],
      ['MCP server added', 'root', 'helper', undefined],
    ]);
    expect(entries.slice(0, 2).map(({ address }) => address)).toEqual(['203.0.113.9', '203.0.113.9']);
    expect(entries.every(({ time }) => Math.abs(Date.parse(String(time)) - Date.now()) < 60_000)).toBe(true);
    const file = path.join(server.place.data, 'logs', 'audit.jsonl');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    for (const secret of [SECRET, PASSWORD, 'wrong password', ada.token]) expect(fs.readFileSync(file, 'utf8')).not.toContain(secret);
  });

  it('is not filled by whoever goes on trying to log in', async () => {
    const server = await openUsers({ model: scriptedModel([]), proxies: ['127.0.0.1'] });
    const attempt = (address: string) => server.bare('POST', '/api/login', { headers: { 'x-forwarded-for': address }, body: { name: 'root', password: 'wrong password' } });
    await Promise.all(Array.from({ length: 10 }, () => attempt('203.0.113.9')));
    for (let i = 0; i < 20; i++) expect((await attempt(i % 2 === 0 ? '203.0.113.9' : '203.0.113.10')).status).toBe(429);
    expect(server.audit().map(({ what, address }) => [what, address])).toEqual([...Array.from({ length: 10 }, () => ['login failed', '203.0.113.9']), ['login has to wait', '203.0.113.9'], ['login has to wait', '203.0.113.10']]);
  });

  it('is read by administrators in pages, newest first', async () => {
    const server = await openUsers({ model: scriptedModel([]) });
    for (let i = 0; i < 5; i++) await server.root.ask('PUT', '/api/settings', { body: { key: 'userPrompt', value: `${i}` } });
    await server.root.ask('PUT', '/api/settings', { body: { key: 'systemPrompt', value: 'x' } });
    const first = await server.root.ask('GET', '/api/audit?limit=4');
    expect(first.json).toMatchObject({ entries: [{ what: 'setting changed', id: 'systemPrompt', user: 'root' }, {}, {}, {}], next: 4 });
    const last = await server.root.ask('GET', '/api/audit?limit=4&offset=4');
    expect(last.json['entries']).toHaveLength(2);
    expect(last.json['next']).toBeUndefined();
    expect((await (await server.user('ada')).ask('GET', '/api/audit')).status).toBe(403);
  });

  it('begins a new file at its size, keeps four, and passes over what was cut off', async () => {
    const { data } = makePlace();
    const faults: string[] = [];
    const log = auditLog({ dataFolder: data, now: () => 0, onFault: (line) => faults.push(line) });
    const file = path.join(data, 'logs', 'audit.jsonl');
    for (let round = 0; round < 7; round++) {
      log.note({ what: `round ${round}` });
      fs.appendFileSync(file, `{"time":"1970-01-01T00:00:00.000Z","what":"fil\n${' '.repeat(10_485_760)}\n`);
    }
    log.note({ what: 'last' });
    expect(fs.readdirSync(path.dirname(file)).sort()).toEqual(['audit.1.jsonl', 'audit.2.jsonl', 'audit.3.jsonl', 'audit.4.jsonl', 'audit.jsonl']);
    expect((await log.read({ limit: 10, offset: 0 })).map(({ what }) => what)).toEqual(['last', 'round 6', 'round 5', 'round 4', 'round 3']);
    fs.rmSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(path.dirname(file), 'in the way');
    log.note({ what: 'lost' });
    expect(faults).toEqual([expect.stringContaining('audit.jsonl cannot be written')]);
  });
});
