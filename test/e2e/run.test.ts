import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import type { FakeRequest } from '../../src/testing/fake-provider/script.ts';
import { eventsOf, FREE, makePlace, MODEL, oneLineOf, run, sessionOf, withProvider, writeSkill, type Place } from './program.ts';

const NOT_ISOLATED = 'skillmint: The sandbox is off: commands run with your rights (not isolated).\n';

let place: Place;
beforeEach(() => {
  place = makePlace();
});

/** Everything below a folder as path → content; without the cache of skills, which tells nothing of what was asked. */
function contents(folder: string): Readonly<Record<string, string>> {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.includes('.skillmint/cache') && fs.statSync(path.join(folder, name)).isFile());
  return Object.fromEntries(files.toSorted().map((name) => [name, fs.readFileSync(path.join(folder, name), 'latin1')]));
}

function toolNames(request: FakeRequest | undefined): readonly unknown[] {
  const tools = request?.body['tools'];
  return Array.isArray(tools) ? tools.map((tool) => (isObject(tool) && isObject(tool['function']) ? tool['function']['name'] : undefined)) : [];
}

describe('what run prints', () => {
  it('text: the answer alone on standard output, what the person should know on standard error', async () => {
    await withProvider(place, { steps: ['Two\nlines.'] });
    expect(await run(place, ['run', 'x', ...FREE])).toMatchObject({ code: 0, stdout: 'Two\nlines.\n', stderr: NOT_ISOLATED });
  });

  it('json: one object', async () => {
    await withProvider(place, { steps: [{ text: 'Hello.', usage: { input: 1000, output: 100 } }] });
    const { code, stdout } = await run(place, ['run', 'x', ...FREE, '--output', 'json']);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toEqual({
      session_id: expect.stringMatching(/^ses_/), turn_id: expect.stringMatching(/^turn_/), status: 'done', text: 'Hello.',
      usage: { input: 1000, output: 100, cache_read: 0, cache_write: 0 }, cost_usd: 0.002,
    });
  });

  it('json of a turn that failed: the error, and exit 1', async () => {
    await withProvider(place, { steps: [{ status: 401, body: { error: { message: 'bad key sk-fake-key' } } }] });
    const { code, stdout, stderr } = await run(place, ['run', 'x', ...FREE, '--output', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', text: '', error: { code: 'model_failed', message: expect.stringContaining('401') } });
    expect(`${stdout}${stderr}`).not.toContain('sk-fake-key');
  });

  it('stream-json: every event on its line, from session.started to turn.completed', async () => {
    await withProvider(place, { steps: [{ text: 'I look.', calls: [{ name: 'LS', input: { path: '.' } }] }, 'Nothing there.'] });
    const { code, stdout } = await run(place, ['run', 'x', ...FREE, '--output', 'stream-json']);
    expect(code).toBe(0);
    const events = eventsOf(stdout);
    expect(events[0]).toMatchObject({ type: 'session.started', cwd: place.project, model: 'fake/m', permission_mode: 'unrestricted', sandbox: 'not isolated', skills_total: expect.any(Number), tools: expect.arrayContaining(['Read', 'Bash', 'Skill']) });
    expect(events.at(-1)).toMatchObject({ type: 'turn.completed', status: 'done', text: 'Nothing there.' });
    expect(events.filter((event) => event.type === 'text.delta').map((event) => event['text']).join('')).toBe('I look.Nothing there.');
    expect(events.flatMap(({ seq }) => seq ?? [])).toEqual(events.filter(({ seq }) => seq !== undefined).map((_event, index) => index + 1));
    expect(events.filter((event) => event.seq === undefined).every((event) => /^(text|reasoning|tool)\.delta$/.test(event.type))).toBe(true);
    expect(new Set(events.map((event) => event.session_id)).size).toBe(1);
  });

  it('a reply that broke off and was begun anew stands once in the answer', async () => {
    await withProvider(place, { steps: [{ text: 'Half of the answer '.repeat(40), fault: { kind: 'reset', afterBytes: 3000 } }, 'The whole answer.'] });
    const { code, stdout } = await run(place, ['run', 'x', ...FREE]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The whole answer.\n' });
  });
});

describe('what goes into a turn', () => {
  it('the prompt from standard input', async () => {
    const provider = await withProvider(place, { steps: ['ok', 'ok'] });
    await run(place, ['run', '-', ...FREE], { input: 'What is\nthis?' });
    await run(place, ['run', ...FREE], { input: 'And that?' });
    expect(provider.requests.map((request) => JSON.stringify(request.body['messages']))).toEqual([expect.stringContaining('What is\\nthis?'), expect.stringContaining('And that?')]);
  });

  it('pictures', async () => {
    const provider = await withProvider(place, { steps: ['A dot.'] });
    const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    fs.writeFileSync(path.join(place.project, 'dot.png'), picture);
    expect((await run(place, ['run', 'what is it?', '--image', 'dot.png', ...FREE])).code).toBe(0);
    expect(provider.requests[0]?.text).toContain(`data:image/png;base64,${picture.toString('base64')}`);
  });

  it('no tools, no skills', async () => {
    writeSkill(path.join(place.project, '.agents/skills'), { name: 'tea-making', description: 'How to make tea.' });
    const provider = await withProvider(place, { steps: ['a', 'b', 'c'] });
    await run(place, ['run', 'make tea', ...FREE]);
    await run(place, ['run', 'make tea', ...FREE, '--no-skills']);
    const bare = await run(place, ['run', 'make tea', ...MODEL, '--no-tools']);
    expect(bare).toMatchObject({ code: 0, stdout: 'c\n', stderr: '' });
    const [offered, without, none] = provider.requests;
    expect(offered?.text).toContain('tea-making');
    expect(toolNames(offered)).toContain('Skill');
    expect(without?.text).not.toContain('tea-making');
    expect(toolNames(without)).toEqual(expect.arrayContaining(['Read', 'Bash']));
    expect(toolNames(without)).not.toContain('Skill');
    expect(none?.text).not.toContain('tea-making');
    expect(none?.body['tools']).toBeUndefined();
  });

  it('a schema for the answer: a right one is parsed, a wrong one is sent back, a hopeless one fails', async () => {
    const file = path.join(place.project, 'schema.json');
    fs.writeFileSync(file, JSON.stringify({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false }));
    const args = ['run', 'count', ...FREE, '--output-schema', file, '--output', 'json'];
    const provider = await withProvider(place, { steps: ['{"n": 3}', '{"n": "three"}', '```json\n{"n": 4}\n```', 'three', 'three', 'three', 'never asked'] });
    expect(JSON.parse((await run(place, args)).stdout)).toMatchObject({ status: 'done', output: { n: 3 } });
    expect(JSON.parse((await run(place, args)).stdout)).toMatchObject({ status: 'done', output: { n: 4 } });
    expect(provider.requests[2]?.text).toContain('does not fit the schema');
    const hopeless = await run(place, args);
    expect(hopeless.code).toBe(1);
    expect(JSON.parse(hopeless.stdout)).toMatchObject({ status: 'failed', error: { code: 'output_invalid' } });
    expect(JSON.parse(hopeless.stdout)).not.toHaveProperty('output');
    expect(provider.requests).toHaveLength(6);
  });

  it('a bound skill: its text in the system prompt, its tools alone', async () => {
    writeSkill(path.join(place.project, '.agents/skills'), { name: 'tea-making', frontmatter: 'allowed-tools: Read, Bash(git:*)\n', body: 'BODY OF TEA' });
    const provider = await withProvider(place, { steps: [{ calls: [{ name: 'Write', input: { file_path: 'a', content: 'b' } }, { name: 'Bash', input: { command: 'echo no' } }, { name: 'Bash', input: { command: 'git --version' } }] }, 'done'] });
    const { code, stdout } = await run(place, ['run', 'x', '--skill', 'tea-making', ...FREE, '--output', 'stream-json']);
    expect(code).toBe(0);
    expect(toolNames(provider.requests[0])).toEqual(['Read', 'Bash']);
    expect(JSON.stringify(provider.requests[0]?.body['messages'])).toContain('BODY OF TEA');
    const results = eventsOf(stdout).filter((event) => event.type === 'tool.completed');
    expect(results.map((event) => event['status'])).toEqual(['denied', 'denied', 'ok']);
    expect(JSON.stringify(results[0]?.['output'])).toContain('this skill does not allow the tool Write');
    expect(fs.readdirSync(place.project)).toEqual(['.agents']);
  });
});

describe('sessions', () => {
  it('--continue goes on with the latest of the folder', async () => {
    const provider = await withProvider(place, { steps: ['one', 'two', 'other', 'three'] });
    const other = path.join(place.root, 'other');
    fs.mkdirSync(other);
    await run(place, ['run', 'ask about plums', ...FREE]);
    await run(place, ['run', 'ask about pears', ...FREE]);
    await run(place, ['run', 'ask about quinces', ...FREE, '--cwd', other]);
    expect(await run(place, ['run', 'go on', '--continue', ...FREE])).toMatchObject({ code: 0, stdout: 'three\n' });
    const last = provider.requests.at(-1)?.text ?? '';
    expect(last).toContain('pears');
    expect(last).not.toContain('plums');
    expect(last).not.toContain('quinces');
  });

  it('--ephemeral stores nothing, long results included', async () => {
    await withProvider(place, { steps: [{ calls: [{ name: 'Bash', input: { command: 'seq 1 20000' } }] }, 'counted'] });
    const before = contents(place.home);
    expect(await run(place, ['run', 'count', ...FREE, '--ephemeral'])).toMatchObject({ code: 0, stdout: 'counted\n' });
    expect(contents(place.home)).toEqual(before);
    expect(contents(path.join(place.root, 'tmp'))).toEqual({});
  });

  it('fork, list, show, export and remove', async () => {
    await withProvider(place, { steps: ['one', 'two'] });
    const { stdout } = await run(place, ['run', 'first', ...FREE, '--output', 'stream-json']);
    const session = sessionOf(eventsOf(stdout));
    const fork = (await run(place, ['sessions', 'fork', session, '--at', '2'])).stdout.trim();
    const log = eventsOf((await run(place, ['sessions', 'export', fork])).stdout);
    expect(log.map((event) => event.type)).toEqual(['session.started', expect.any(String), 'session.forked']);
    expect(new Set(log.map((event) => event.session_id))).toEqual(new Set([fork]));
    expect((await run(place, ['run', 'again', '--session', fork, ...FREE])).stdout).toBe('two\n');
    expect((await run(place, ['sessions', 'show', session])).stdout).toContain('> first');
    expect((await run(place, ['sessions', 'remove', session])).code).toBe(0);
    expect(JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout)).toMatchObject({ sessions: [{ session_id: fork, parent_id: session, status: 'done' }] });
    expect((await run(place, ['sessions', 'export', session])).code).toBe(5);
  });
});

describe('bounds of a turn', () => {
  it('--max-turns ends it with 4, and it can go on', async () => {
    const ls = { calls: [{ name: 'LS', input: { path: '.' } }] };
    await withProvider(place, { steps: [ls, ls, 'over'] });
    const limited = await run(place, ['run', 'x', ...FREE, '--max-turns', '2', '--output', 'json']);
    expect(limited.code).toBe(4);
    expect(JSON.parse(limited.stdout)).toMatchObject({ status: 'limit', error: { code: 'max_turns' } });
    expect(limited.stderr).toContain('limit of 2 steps');
    expect(await run(place, ['run', 'go on', '--continue', ...FREE])).toMatchObject({ code: 0, stdout: 'over\n' });
  });

  it('--max-cost ends it with 4', async () => {
    const dear = { calls: [{ name: 'LS', input: { path: '.' } }], usage: { input: 500_000, output: 0 } };
    const provider = await withProvider(place, { steps: [dear, dear, dear, 'never'] });
    const limited = await run(place, ['run', 'x', ...FREE, '--max-cost', '0.8', '--output', 'json']);
    expect(limited.code).toBe(4);
    expect(JSON.parse(limited.stdout)).toMatchObject({ status: 'limit', cost_usd: 1, error: { code: 'max_cost' } });
    expect(provider.requests).toHaveLength(2);
  });

  it('calls that cannot be understood are answered and do not run', async () => {
    const provider = await withProvider(place, { steps: [
      { calls: [{ name: 'NoSuchTool', input: {} }, { name: 'Write', input: { file_path: 'a' } }, { name: 'Write', arguments: '{"file_path": "b", ' }] },
      'sorry',
    ] });
    const ended = await run(place, ['run', 'x', ...FREE]);
    expect(ended).toMatchObject({ code: 0, stdout: 'sorry\n' });
    const answers = provider.requests[1]?.text ?? '';
    for (const part of ['There is no tool named NoSuchTool', 'content', 'not a JSON object']) expect(answers).toContain(part);
    expect(fs.readdirSync(place.project)).toEqual([]);
  });

  it('nothing runs from a reply that was cut, whatever was there of it', async () => {
    const cut = { calls: [{ name: 'Bash', input: { command: 'touch ran' } }], fragment: 4, fault: { kind: 'cut', afterBytes: 900 } } as const;
    await withProvider(place, { steps: [cut, 'nothing done'] });
    expect(await run(place, ['run', 'x', ...FREE])).toMatchObject({ code: 0, stdout: 'nothing done\n' });
    expect(fs.readdirSync(place.project)).toEqual([]);
  });

  it('a provider that is gone ends the turn with one line', async () => {
    const provider = await withProvider(place);
    await provider.close();
    const ended = await run(place, ['run', 'x', ...MODEL, '--no-tools']);
    expect(ended.code).toBe(1);
    expect(oneLineOf({ ...ended, stderr: ended.stderr.split('\n').filter((line) => line.includes('session')).join('\n') })).toMatch(/127\.0\.0\.1/);
  });
});
