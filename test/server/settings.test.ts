import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { isObject } from '../../src/protocol/json.ts';
import { openServer } from './open-server.ts';

const KEY = 'sk-very-secret-1234';

function entry(list: unknown, name: string, value: string): Readonly<Record<string, unknown>> | undefined {
  return Array.isArray(list) ? list.filter(isObject).find((each) => each[name] === value) : undefined;
}

describe('settings over HTTP', () => {
  it('tell what the own file says beside what holds, and what else there is', async () => {
    const server = await openServer(scriptedModel([]), { settings: { permissions: { mode: 'unrestricted', deny: ['Read(.env)'] } } });
    const put = (key: string, value: unknown) => server.ask('PUT', '/api/settings', { body: { key, value } });
    expect((await put('permissions.deny', ['Bash(rm:*)'])).status).toBe(200);
    const { json } = await server.ask('GET', '/api/settings');
    expect(entry(json['settings'], 'key', 'permissions.deny')).toMatchObject({ value: ['Bash(rm:*)', 'Read(.env)'], own: ['Bash(rm:*)'] });
    expect(entry(json['settings'], 'key', 'maxTurns')).not.toHaveProperty('own');
    expect(entry(json['known'], 'key', 'permissions.mode')).toMatchObject({ words: expect.arrayContaining(['plan']) });
    expect(entry(json['known'], 'key', 'sandbox.limits.memoryMb')).toBeDefined();
    expect(entry(json['known'], 'key', 'search')).toBeDefined();
    const wrong = await put('permissions.deny', ['Bash(rm:*']);
    expect([wrong.status, wrong.json['error']]).toEqual([422, expect.stringContaining('the permission rule "Bash(rm:*" cannot be used')]);
  });

  it('take keys and never give them, neither in lists nor in the sentence on what is wrong beside one', async () => {
    const server = await openServer(scriptedModel([]), { env: {} });
    const put = (key: string, value: unknown) => server.ask('PUT', '/api/settings', { body: { key, value } });
    const before = await server.ask('GET', '/api/models');
    expect(entry(before.json['providers'], 'name', 'anthropic')).toMatchObject({ key: 'missing', variable: 'ANTHROPIC_API_KEY', known: true });
    expect(entry(before.json['providers'], 'name', 'ollama')).toMatchObject({ key: 'not needed' });
    const answers = [
      await put('providers.anthropic.apiKey', KEY),
      await put('providers.lab', { api: 'openai-chat', baseUrl: 'http://lab.test/v1', apiKey: KEY, headers: { 'x-key': KEY } }),
      await put('providers.lab', { api: 'nonsense', baseUrl: 'http://lab.test/v1', apiKey: KEY, headers: { 'x-key': KEY } }),
      await put('providers', { lab: { api: 'openai-chat', apiKey: KEY, nonsense: 1 } }),
      await put('providers.lab', `{ "apiKey": "${KEY}", `),
      await put('providers.lab.headers', [KEY]),
      await put('search', `{ "apiKey": "${KEY}" `),
      await server.ask('GET', '/api/settings'),
      await server.ask('GET', '/api/models'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 422, 422, 422, 422, 200, 200]);
    for (const { text } of answers) expect(text).not.toContain(KEY);
    expect(answers[2]?.json['error']).toContain('providers.lab.api must be');
    expect(entry(answers[8]?.json['providers'], 'name', 'anthropic')).toMatchObject({ key: 'settings' });
    expect(entry(answers[8]?.json['providers'], 'name', 'lab')).toMatchObject({ key: 'settings', known: false });
  });

  it('name a provider that cannot be used, and list the others all the same', async () => {
    const server = await openServer(scriptedModel([]));
    const put = (key: string, value: unknown) => server.ask('PUT', '/api/settings', { body: { key, value } });
    await put('providers.anthropic.apiKey', 'with a space');
    await put('providers.half.api', 'openai-chat');
    const { status, json } = await server.ask('GET', '/api/models');
    expect(status).toBe(200);
    expect(entry(json['providers'], 'name', 'anthropic')).toMatchObject({ key: 'settings', problem: expect.stringContaining('characters that no key has') });
    expect(entry(json['providers'], 'name', 'half')).toMatchObject({ key: 'missing', problem: expect.stringContaining('needs baseUrl') });
    expect(entry(json['models'], 'provider', 'openai')).toBeDefined();
    expect(entry(json['models'], 'provider', 'anthropic')).toBeUndefined();
  });

  it('a server of the project is shown as it is written before it is approved', async () => {
    const server = await openServer(scriptedModel([]));
    fs.writeFileSync(path.join(server.place.project, '.mcp.json'), JSON.stringify({ mcpServers: { tool: { command: '/bin/tool', args: ['--x'], env: { NODE_OPTIONS: '--require evil' } } } }));
    const before = entry((await server.ask('GET', '/api/mcp/servers')).json['servers'], 'name', 'tool');
    expect(before).toMatchObject({ status: 'unapproved', definition: { command: '/bin/tool', env: { NODE_OPTIONS: '--require evil' } } });
    expect((await server.ask('POST', '/api/mcp/servers/tool/approval', { body: { digest: before?.['digest'] } })).status).toBe(200);
    const after = entry((await server.ask('GET', '/api/mcp/servers')).json['servers'], 'name', 'tool');
    expect(after).toMatchObject({ status: 'usable' });
    expect(after).not.toHaveProperty('definition');
  });
});
