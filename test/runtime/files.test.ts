import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, finish, makePlace, open, say, type Finished } from './open.ts';

const call = (tool: string, input: Readonly<Record<string, string | number>>) => ({ calls: [{ tool, input }] });
const results = ({ events }: Finished): readonly string[] => eventsOf(events, 'tool.completed').map((event) => `${event.status}: ${textOf(event.output)}`);

describe('a file may only be changed as it was read', () => {
  it('in this session, also after it was resumed', async () => {
    const place = makePlace();
    const file = path.join(place.project, 'a.txt');
    fs.writeFileSync(file, 'old text\n');
    const edit = call('Edit', { file_path: file, old_string: 'old', new_string: 'new' });
    const { runtime } = await open(scriptedModel([edit, call('Read', { file_path: file }), 'read']), { place });
    const first = await say(runtime, { text: 'x', cwd: place.project });
    expect(results(first)).toEqual([expect.stringMatching(/^error: .*read/i), expect.stringMatching(/^ok: /)]);
    await runtime.close();
    const { runtime: later } = await open(scriptedModel([edit, 'done', edit, 'done']), { place });
    const second = await say(later, { text: 'y', sessionId: first.result.session_id });
    expect(results(second)).toEqual([expect.stringMatching(/^ok: /)]);
    expect(fs.readFileSync(file, 'utf8')).toBe('new text\n');
    fs.writeFileSync(file, 'old text by somebody else\n');
    const third = await say(later, { text: 'z', sessionId: first.result.session_id });
    expect(results(third)).toEqual([expect.stringMatching(/^error: .*changed/i)]);
    expect(fs.readFileSync(file, 'utf8')).toBe('old text by somebody else\n');
  });

  it('and not because another session has read it', async () => {
    const place = makePlace();
    const file = path.join(place.project, 'a.txt');
    fs.writeFileSync(file, 'old text\n');
    const { runtime } = await open(scriptedModel([call('Read', { file_path: file }), 'read', call('Write', { file_path: file, content: 'x' }), 'done']), { place });
    await say(runtime, { text: 'x', cwd: place.project });
    expect(results(await say(runtime, { text: 'y', cwd: place.project }))).toEqual([expect.stringMatching(/^error: .*read/i)]);
    expect(fs.readFileSync(file, 'utf8')).toBe('old text\n');
  });
});

describe('consent to a change of a file', () => {
  it('holds for where the file lay when it was asked for, in another process, too', async () => {
    const place = makePlace();
    const notes = path.join(place.project, 'notes');
    const outside = path.join(place.home, 'outside');
    for (const folder of [notes, outside]) fs.mkdirSync(folder, { recursive: true });
    const settings = { permissions: { mode: 'default' } } as const;
    const write = call('Write', { file_path: path.join(notes, 'x'), content: 'new' });
    const { runtime } = await open(scriptedModel([write]), { place, settings });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result.status).toBe('waiting');
    await runtime.close();
    fs.rmSync(notes, { recursive: true });
    fs.symlinkSync(outside, notes);
    const { runtime: later } = await open(scriptedModel(['done', write, 'done']), { place, settings });
    const allow = { kind: 'permission', decision: 'allow', scope: 'once' } as const;
    const answered = await finish(await later.answer({ sessionId: result.session_id, answer: allow }));
    expect(results(answered)).toEqual([expect.stringMatching(/^error: .*taken its place since/)]);
    expect(fs.readdirSync(outside)).toEqual([]);
    const again = await say(later, { text: 'y', sessionId: result.session_id });
    expect(again.result.open.map(({ question }) => question)).toMatchObject([{ reason: expect.stringContaining('outside the workspace') }]);
    await finish(await later.answer({ sessionId: result.session_id, answer: allow }));
    expect(fs.readdirSync(outside)).toEqual(['x']);
  });
});

describe('a result that is too long', () => {
  it('is cut to 30,000 characters, and the whole of it can be read in parts', async () => {
    const place = makePlace();
    let saved = '';
    const model = scriptedModel([
      call('Bash', { command: 'seq 1 20000' }),
      ({ messages }) => {
        saved = /the whole output is in (\S+?):/.exec(JSON.stringify(messages.at(-1)))?.[1] ?? '';
        return call('Read', { file_path: saved, offset: 9_999, limit: 3 });
      },
      'done',
    ]);
    const { runtime } = await open(model, { place, settings: { permissions: { mode: 'default', allow: ['Bash(seq:*)'] } } });
    const finished = await say(runtime, { text: 'count', cwd: place.project });
    expect(finished.result.status).toBe('done');
    const [cut = '', part = ''] = results(finished);
    expect(cut.length).toBeLessThanOrEqual(30_000 + 'ok: '.length);
    expect(cut).toMatch(/^ok: 1\n2\n3\n/);
    expect(cut).toMatch(/\n19999\n20000$/);
    expect(part).toMatch(/9999\n.*10000\n.*10001/);
    expect(fs.statSync(saved).mode & 0o077).toBe(0);
    expect(fs.readFileSync(saved, 'utf8')).toBe(`${Array.from({ length: 20_000 }, (_, i) => i + 1).join('\n')}`);
  });

  it('of 50 MB, without a line end and partly on standard error, ends in bounded memory', async () => {
    const place = makePlace();
    const { runtime } = await open(scriptedModel([call('Bash', { command: 'head -c 40000000 /dev/zero | tr "\\0" x; head -c 10000000 /dev/zero | tr "\\0" e >&2' }), 'done']), { place });
    const before = process.memoryUsage().rss;
    const finished = await say(runtime, { text: 'much', cwd: place.project });
    expect(results(finished)[0]?.length).toBeLessThanOrEqual(30_100);
    expect(finished.result.status).toBe('done');
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    const sizes = fs.readdirSync(path.join(place.data, 'outputs', finished.result.session_id)).map((name) => fs.statSync(path.join(place.data, 'outputs', finished.result.session_id, name)).size);
    expect(sizes.every((size) => size <= 11 * 1024 * 1024)).toBe(true);
  });
});

describe('what is hard to read', () => {
  it('a file of 1 GB: the part that is asked for, or a refusal, in bounded memory', async () => {
    const place = makePlace();
    const text = path.join(place.project, 'big.txt');
    const zeros = path.join(place.project, 'zeros.bin');
    fs.writeFileSync(text, Array.from({ length: 5_000 }, (_, i) => `line ${i + 1}`).join('\n'));
    fs.truncateSync(text, 2 ** 30);
    fs.writeFileSync(zeros, '');
    fs.truncateSync(zeros, 2 ** 30);
    const { runtime } = await open(scriptedModel([call('Read', { file_path: text }), call('Read', { file_path: text, offset: 4_000, limit: 2 }), call('Read', { file_path: zeros }), 'done']), { place });
    const before = process.memoryUsage().rss;
    const finished = await say(runtime, { text: 'x', cwd: place.project });
    expect(finished.result.status).toBe('done');
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    const [whole = '', part = '', binary = ''] = results(finished);
    expect(whole.length).toBeLessThanOrEqual(30_100);
    expect(part).toMatch(/line 4000\n.*line 4001/);
    expect(binary).toMatch(/^error: .*zeros\.bin/);
  });

  it('bytes that are no UTF-8, from a file and from a command, reach the model as text', async () => {
    const place = makePlace();
    const file = path.join(place.project, 'latin.txt');
    fs.writeFileSync(file, Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a, 0xff, 0xfe, 0x41, 0x0a]));
    const model = scriptedModel([call('Bash', { command: "printf 'ab\\377\\376cd\\n'" }), call('Read', { file_path: file }), 'done']);
    const { runtime } = await open(model, { place });
    const finished = await say(runtime, { text: 'x', cwd: place.project });
    expect(finished.result.status).toBe('done');
    expect(results(finished)[0]).toBe('ok: ab\ufffd\ufffdcd');
    expect(results(finished)[1]).toMatch(/caf|UTF-8/);
    expect(JSON.parse(JSON.stringify(model.requests.at(-1)))).toEqual(model.requests.at(-1));
  });
});
