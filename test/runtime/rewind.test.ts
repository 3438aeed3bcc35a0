import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { logOf, makePlace, open, say, type Place } from './open.ts';

const call = (tool: string, input: JsonObject) => ({ calls: [{ tool, input }] });
const write = (file: string, content: string) => call('Write', { file_path: file, content });
const edit = (file: string, from: string, to: string) => call('Edit', { file_path: file, old_string: from, new_string: to });
const read = (file: string) => call('Read', { file_path: file });
const at = ({ project }: Place, name: string): string => path.join(project, name);
const text = (place: Place, name: string): string => fs.readFileSync(at(place, name), 'utf8');

/** A session of three messages: the second changes and makes files, by a sub-agent too, the third changes one of them again. */
async function changed(place: Place) {
  fs.writeFileSync(at(place, 'old.txt'), 'as it was\n', { mode: 0o754 });
  fs.writeFileSync(at(place, 'other.txt'), 'other\n');
  const model = scriptedModel(['Hello.', read('old.txt'), edit('old.txt', 'as it was', 'changed'), write('new.txt', 'made'), call('Bash', { command: 'echo by-command > command.txt' }), call('Task', { prompt: 'INNER' }), read('other.txt'), edit('other.txt', 'other', 'by the agent'), 'agent done', 'Two done.', edit('old.txt', 'changed', 'changed twice'), 'Three done.', 'On from there.']);
  const { runtime } = await open(model, { place });
  const first = await say(runtime, { text: 'one', cwd: place.project });
  const sessionId = first.result.session_id;
  await say(runtime, { text: 'two', sessionId });
  await say(runtime, { text: 'three', sessionId });
  return { runtime, sessionId, model };
}

describe('rewind', () => {
  it('sets files and conversation back to before a message, and names the commands whose changes stay', async () => {
    const place = makePlace();
    const { runtime, sessionId, model } = await changed(place);
    expect([text(place, 'old.txt'), text(place, 'other.txt')]).toEqual(['changed twice\n', 'by the agent\n']);
    const service = await runtime.rewind(sessionId);
    const points = await service.points();
    expect(points.map((point) => point.text)).toEqual(['one', 'two', 'three']);
    const second = points[1]?.seq ?? 0;
    const plan = await service.plan(second);
    expect(plan.files).toEqual([
      { path: at(place, 'old.txt'), change: 'restore', state: 'ready' },
      { path: at(place, 'new.txt'), change: 'remove', state: 'ready' },
      { path: at(place, 'other.txt'), change: 'restore', state: 'ready' },
    ]);
    expect(plan.commands).toEqual(['echo by-command > command.txt']);
    const result = await service.run(second, { overwrite: false });
    expect(result).toMatchObject({ restored: [at(place, 'old.txt'), at(place, 'other.txt')], removed: [at(place, 'new.txt')], left: [] });
    expect([text(place, 'old.txt'), text(place, 'other.txt')]).toEqual(['as it was\n', 'other\n']);
    expect(fs.statSync(at(place, 'old.txt')).mode & 0o777).toBe(0o754);
    expect(fs.existsSync(at(place, 'new.txt'))).toBe(false);
    expect(text(place, 'command.txt')).toBe('by-command\n');
    await say(runtime, { text: 'another two', sessionId: result.session_id });
    const asked = JSON.stringify(model.requests.at(-1)?.messages);
    expect(asked).toContain('another two');
    expect(asked).toContain('one');
    expect(asked).not.toContain('Two done.');
    expect((await logOf(runtime, result.session_id)).filter(({ type }) => type === 'session.forked')).toMatchObject([{ parent_id: sessionId }]);
    expect((await service.points()).length).toBe(3);
  });

  it('goes back one message only, also in a copy of the session', async () => {
    const place = makePlace();
    const { runtime, sessionId } = await changed(place);
    const copy = await runtime.sessions.fork(sessionId);
    const service = await runtime.rewind(copy);
    const third = (await service.points()).at(-1)?.seq ?? 0;
    const result = await service.run(third, { overwrite: false });
    expect(result.restored).toEqual([at(place, 'old.txt')]);
    expect(text(place, 'old.txt')).toBe('changed\n');
    expect(text(place, 'new.txt')).toBe('made');
  });

  it('leaves a file that somebody else has changed since, unless it is to be overwritten', async () => {
    const place = makePlace();
    const { runtime, sessionId } = await changed(place);
    fs.writeFileSync(at(place, 'old.txt'), 'mine\n');
    const service = await runtime.rewind(sessionId);
    const second = (await service.points())[1]?.seq ?? 0;
    expect((await service.plan(second)).files).toContainEqual({ path: at(place, 'old.txt'), change: 'restore', state: 'changed' });
    expect((await service.run(second, { overwrite: false })).left).toEqual([{ path: at(place, 'old.txt'), why: 'it was changed by somebody else since' }]);
    expect(text(place, 'old.txt')).toBe('mine\n');
    expect((await service.run(second, { overwrite: true })).restored).toEqual([at(place, 'old.txt')]);
    expect(text(place, 'old.txt')).toBe('as it was\n');
  });

  it('says what was not kept, does not follow a symlink that took the place of a file, and forgets with the session', async () => {
    const place = makePlace();
    const { runtime, sessionId } = await changed(place);
    const outside = path.join(place.home, 'outside.txt');
    fs.writeFileSync(outside, 'safe');
    fs.rmSync(at(place, 'old.txt'));
    fs.symlinkSync(outside, at(place, 'old.txt'));
    const service = await runtime.rewind(sessionId);
    const second = (await service.points())[1]?.seq ?? 0;
    const result = await service.run(second, { overwrite: true });
    expect(result.left.map(({ path: file }) => file)).toEqual([at(place, 'old.txt')]);
    expect(fs.readFileSync(outside, 'utf8')).toBe('safe');
    const kept = path.join(place.data, 'before', sessionId);
    expect(fs.statSync(kept).mode & 0o777).toBe(0o700);
    for (const name of fs.readdirSync(kept)) fs.writeFileSync(path.join(kept, name), 'tampered');
    fs.rmSync(at(place, 'old.txt'));
    expect((await service.plan(second)).files).toMatchObject([{ path: at(place, 'old.txt'), state: 'lost' }]);
    await expect(service.plan(second + 1)).rejects.toMatchObject({ code: 'not_found' });
    await runtime.sessions.remove(sessionId);
    expect(fs.existsSync(kept)).toBe(false);
  });

  it('takes back files alone or the conversation alone, and a turn by its id', async () => {
    const place = makePlace();
    const { runtime, sessionId } = await changed(place);
    const service = await runtime.rewind(sessionId);
    const [, second, third] = await service.points();
    const alone = await service.run(third?.turn_id ?? '', { overwrite: false, files: false });
    expect([text(place, 'old.txt'), alone.restored]).toEqual(['changed twice\n', []]);
    expect((await (await runtime.rewind(alone.session_id)).points()).map((point) => point.text)).toEqual(['one', 'two']);
    const filesAlone = await service.run(second?.seq ?? 0, { overwrite: false, conversation: false });
    expect([filesAlone.session_id, text(place, 'old.txt')]).toEqual([sessionId, 'as it was\n']);
    expect((await logOf(runtime, sessionId)).at(-1)).toMatchObject({ type: 'warning', code: 'rewound', message: expect.stringMatching(/Files were taken back to before the message \d+, .*set back: .*old\.txt/) });
    await expect(service.run(second?.seq ?? 0, { overwrite: false, files: false, conversation: false })).rejects.toMatchObject({ code: 'usage' });
    await expect(service.run('turn_none', { overwrite: false })).rejects.toMatchObject({ code: 'not_found' });
  });
});
