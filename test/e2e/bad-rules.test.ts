import { beforeEach, describe, expect, it } from 'vitest';
import { FREE, makePlace, oneLineOf, run, withProvider, writeSettings, type Place } from './program.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});

describe('rules that cannot be used', () => {
  it.each(['ask', 'deny'])('in %s: nothing runs, and file, line and place are named', async (list) => {
    const file = writeSettings(place, `{\n  "permissions": {\n    "${list}": [\n      "Read",\n      "Bash(git"\n    ]\n  }\n}\n`);
    const ended = await run(place, ['run', 'x', '--model', 'demo/demo', '--sandbox', 'off']);
    expect([ended.code, oneLineOf(ended)]).toEqual([2, expect.stringContaining(`${file}:5: permissions.${list}[1]: the permission rule "Bash(git" cannot be used: `)]);
    const doctor = await run(place, ['doctor', '--json']);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`${file}:5: permissions.${list}[1]`)]);
    // What is there can still be looked at and mended.
    expect((await run(place, ['config', 'list'])).code).toBe(0);
    expect((await run(place, ['config', 'set', `permissions.${list}`, 'Read'])).code).toBe(0);
    expect((await run(place, ['run', 'x', '--model', 'demo/demo', '--sandbox', 'off'])).code).toBe(0);
  });

  it('in allow: a warning with the place, and it grants nothing', async () => {
    const file = writeSettings(place, '{\n  "model": "demo/demo",\n  "permissions": { "allow": ["Read",\n    "Bash(node:*)"] }\n}\n');
    const { code, stderr } = await run(place, ['run', 'x', '--sandbox', 'off']);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${file}:4: permissions.allow[1]: the permission rule "Bash(node:*)" cannot be used: it names only a program that runs others`)]);
  });

  it('are not stored', async () => {
    const ended = await run(place, ['config', 'set', 'permissions.deny', '["Bash(rm:*)","Bash()"]']);
    expect([ended.code, oneLineOf(ended)]).toEqual([2, expect.stringMatching(/permissions\.deny\[1\]: the permission rule "Bash\(\)" cannot be used: .*nothing was changed/)]);
    expect(JSON.parse((await run(place, ['config', 'get', 'permissions.deny', '--json'])).stdout)).toMatchObject({ value: [] });
  });

  it('that contradict each other are told of, and the stricter one holds', async () => {
    const bash = { calls: [{ name: 'Bash', input: { command: 'touch a.txt' } }] };
    const provider = await withProvider(place, { steps: [bash, 'refused'], settings: { permissions: { allow: ['Bash(touch:*)', 'Write'], ask: ['Write'], deny: [' Bash(touch:*)'] } } });
    const { code, stdout, stderr } = await run(place, ['run', 'x', ...FREE]);
    expect([code, stdout]).toEqual([0, 'refused\n']);
    expect(stderr).toContain('The permission rule "Bash(touch:*)" stands in deny and in allow: it denies.');
    expect(stderr).toContain('The permission rule "Write" stands in ask and in allow: it asks.');
    expect(provider.requests[1]?.text).toContain('Bash(touch:*)');
  });
});
