import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MODEL, makePlace, run, start, withProvider, withoutBubblewrap, writeSkill, type Place } from './program.ts';
import type { FakeRequest, FakeStep } from '../../src/testing/fake-provider/script.ts';

const SKILL = '---\nname: invoice-check\ndescription: Checks invoices against orders. Use when someone asks whether invoices match what was ordered.\n---\n\n# Check invoices\n\n1. Read both files.\n';
const draftIn = ({ text }: FakeRequest): string => /Write it into ([^"\\]+?)\/(?:NAME|[a-z-]+)\/, with/g.exec(text)?.[1] ?? '';
const writes: FakeStep = (request) => ({ calls: [{ name: 'Write', input: { file_path: path.join(draftIn(request), 'invoice-check/SKILL.md'), content: SKILL } }] });
const MADE = JSON.stringify({ outcome: 'made', name: 'invoice-check', summary: 'It checks invoices.', existing: '' });

const skills = (place: Place, ...args: readonly string[]) => run(place, ['skills', ...args]);

it('the bundled skills are valid for every client, and listed with what they are', async () => {
  const place = makePlace();
  const { code, stdout } = await skills(place, 'validate', path.resolve('skills'), '--target', 'all', '--json');
  expect([code, stdout]).toEqual([0, expect.not.stringMatching(/"severity": ?"(?:error|warning)"/)]);
  const listed: { readonly skills: readonly { readonly id: string; readonly type?: string }[] } = JSON.parse((await skills(place, 'list', '--json')).stdout);
  expect(listed.skills.map(({ id, type }) => [id, type])).toEqual([['bundled:enhancing-skills', 'meta'], ['bundled:evaluating-skills', 'meta'], ['bundled:orders-report', undefined], ['bundled:skill-creator', 'meta']]);
  expect((await skills(place, 'list')).stdout).toContain('bundled:skill-creator (meta)');
});

describe.skipIf(withoutBubblewrap)('skills search --agent and create --prompt', () => {
  it('makes a skill in the sandboxed program as it is installed, that is listed, not trusted, and kept by an update', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [writes, MADE, JSON.stringify({ skills: [{ id: 'user:invoice-check', reason: 'It is for that.' }] })] });
    const made = await skills(place, 'create', '--prompt', 'check invoices', ...MODEL, '--json');
    expect(made.code, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ outcome: 'made', id: 'user:invoice-check', trusted: false, folder: path.join(place.data, 'skills/invoice-check') });
    expect(fs.readFileSync(path.join(place.data, 'skills/invoice-check/SKILL.md'), 'utf8')).toBe(SKILL);
    expect((await skills(place, 'trust', '--list')).stdout).not.toMatch(/invoice-check.*trusted: /);
    const found = await skills(place, 'search', '--agent', 'do they match', ...MODEL);
    expect([found.code, found.stdout]).toEqual([0, 'user:invoice-check  It is for that.\n']);
    const sessions = JSON.parse((await run(place, ['sessions', 'list', '--agents', '--json'])).stdout);
    expect(sessions).toMatchObject({ sessions: [{ task_id: 'skill-agent', status: 'done' }] });
    expect((await run(place, ['sessions', 'list', '--agents'])).stdout).toMatch(/^ses_\S+ .*  skill-agent\n$/);
    expect(JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout)).toEqual({ sessions: [] });
    expect(await skills(place, 'update')).toMatchObject({ code: 0 });
    fs.rmSync(path.join(place.data, 'skills/invoice-check'), { recursive: true });
    expect(await skills(place, 'install', '--frozen')).toMatchObject({ code: 6, stderr: expect.stringContaining('invoice-check was written on the machine') });
  });

  it('goes on with its session after it was killed in the middle of a call', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [writes, { fault: { kind: 'hang', afterBytes: 10 } }, JSON.stringify({ skills: [] })] });
    const killed = start(place, ['skills', 'create', '--prompt', 'invoices', ...MODEL], { onError: (text) => void (/Write drafts\//.test(text) && killed.child.kill('SIGKILL')) });
    expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(await skills(place, 'search', '--agent', 'invoices', ...MODEL)).toMatchObject({ code: 0, stderr: expect.stringContaining('No skill fits') });
    expect(JSON.parse((await run(place, ['sessions', 'list', '--agents', '--json'])).stdout)).toMatchObject({ sessions: [{ task_id: 'skill-agent', status: 'done' }] });
  });

  it('ends with its code where it is told too much, where there should be no skill, and where it is stopped', async () => {
    const place = makePlace();
    writeSkill(path.join(place.project, '.agents/skills'), { name: 'kettle', description: 'Boils water.' });
    await withProvider(place, { steps: [JSON.stringify({ outcome: 'declined', name: '', summary: 'The kettle does it.', existing: 'project:kettle' }), writes, { fault: { kind: 'hang', afterBytes: 10 } }] });
    expect(await skills(place, 'create', '--prompt', 'x', '--description', 'y')).toMatchObject({ code: 2, stderr: expect.stringContaining('leave out') });
    expect(await skills(place, 'search', 'x', ...MODEL)).toMatchObject({ code: 2, stderr: expect.stringContaining('--model goes with --agent') });
    expect(await skills(place, 'create', '--prompt', 'boil', ...MODEL)).toMatchObject({ code: 6, stderr: expect.stringContaining('No skill was made: The kettle does it. See: skillmint skills show project:kettle') });
    let isTold = false;
    const running = start(place, ['skills', 'create', '--prompt', 'invoices', ...MODEL], {
      onError: (text) => {
        if (!isTold && /Write drafts\/.*SKILL\.md/.test(text)) isTold = running.child.kill('SIGINT');
      },
    });
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Interrupted') });
    expect(fs.existsSync(path.join(place.data, 'skills/invoice-check'))).toBe(false);
  });
});
