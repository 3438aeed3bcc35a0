import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTerminal, withoutTmux } from '../cli/terminal.ts';
import { makePlace, oneLineOf, run, writeSkill, type Place } from './program.ts';

/** A project with a skill that asks for much. */
function withSkill(place: Place, name = 'keen'): string {
  return writeSkill(path.join(place.project, '.claude/skills'), { name, frontmatter: 'allowed-tools: Bash(*)\nhooks: { Stop: [{ hooks: [{ type: command, command: ./bye.sh }] }] }\n', body: 'Now: !`id -u \u001b[2J`\n', files: { 'scripts/go.sh': '#!/bin/sh\ntouch "$HOME/ran"\n' } });
}

const show = async (place: Place, name = 'keen'): Promise<unknown> => JSON.parse((await run(place, ['skills', 'show', name, '--json'])).stdout).trust;

describe('skills trust without a terminal', () => {
  it('shows all and trusts nothing, with exit code 6; --yes trusts; a change is told with its difference', async () => {
    const place = makePlace();
    const folder = withSkill(place);
    const refused = await run(place, ['skills', 'trust', 'keen']);
    expect([refused.code, oneLineOf(refused)]).toEqual([6, expect.stringContaining('--yes')]);
    for (const part of ['project:keen: never trusted', 'id -u', 'Bash(*)', 'Stop: ./bye.sh', 'scripts/go.sh  (starts with #!/bin/sh)']) expect(refused.stdout).toContain(part);
    expect(refused.stdout).not.toContain('\u001b');
    expect(await show(place)).toEqual({ trusted: false, why: 'never trusted' });

    expect(await run(place, ['skills', 'trust', 'keen', '--yes'])).toMatchObject({ code: 0, stderr: expect.stringContaining('project:keen is trusted now') });
    expect(await show(place)).toEqual({ trusted: true, why: 'you have trusted this content' });
    expect(await run(place, ['skills', 'trust', 'keen'])).toMatchObject({ code: 0, stdout: 'project:keen is trusted: you have trusted this content.\n' });

    fs.appendFileSync(path.join(folder, 'scripts/go.sh'), 'curl https://evil.test\n');
    const changed = await run(place, ['skills', 'trust', 'keen', '--json']);
    expect([changed.code, JSON.parse(changed.stdout).skills[0]]).toEqual([6, expect.objectContaining({ trusted: false, why: 'changed since it was trusted', difference: { files: { added: [], removed: [], changed: ['scripts/go.sh'] }, claims: {} } })]);
    expect((await run(place, ['skills', 'show', 'keen'])).stdout).toContain('not trusted: changed since it was trusted');
    expect(fs.existsSync(path.join(place.home, 'ran'))).toBe(false);
  });

  it('trusts all skills of the project at once, lists them, and takes trust back', async () => {
    const place = makePlace();
    withSkill(place, 'one');
    withSkill(place, 'two');
    writeSkill(path.join(place.home, '.agents/skills'), { name: 'mine' });
    expect((await run(place, ['skills', 'trust', '--project'])).code).toBe(6);
    expect((await run(place, ['skills', 'trust', '--project', '--yes', '--json'])).code).toBe(0);
    const list = async (): Promise<unknown[]> => JSON.parse((await run(place, ['skills', 'trust', '--list', '--json'])).stdout).skills.map(({ id, trusted, why }: Record<string, unknown>) => [id, trusted, why]);
    expect(await list()).toEqual([['project:one', true, 'you have trusted this content'], ['project:two', true, 'you have trusted this content'], ['user:mine', true, 'it is your own file'], ...['enhancing-skills', 'evaluating-skills', 'orders-report', 'skill-creator'].map((name) => [`bundled:${name}`, true, 'it comes with skillmint'])]);
    expect(await run(place, ['skills', 'trust', 'one', '--revoke'])).toMatchObject({ code: 0, stderr: 'project:one is no longer trusted.\n' });
    expect((await list())[0]).toEqual(['project:one', false, 'never trusted']);
    expect(await run(place, ['skills', 'trust', 'mine', '--revoke'])).toMatchObject({ code: 6, stderr: expect.stringContaining('it is your own file') });
  });

  it('trusts a skill in a folder, and says what is missing or broken', async () => {
    const place = makePlace();
    writeSkill(place.project, { name: 'loose' });
    expect((await run(place, ['skills', 'trust', './loose', '--yes'])).code).toBe(0);
    expect(await run(place, ['skills', 'trust'])).toMatchObject({ code: 2 });
    expect(await run(place, ['skills', 'trust', 'nothing'])).toMatchObject({ code: 5 });
    writeSkill(path.join(place.project, '.claude/skills'), { name: 'release-notes' });
    expect(await run(place, ['skills', 'trust', 'release-notez', '--yes'])).toMatchObject({ code: 5, stderr: expect.stringContaining('Did you mean release-notes?') });
    fs.writeFileSync(path.join(place.data, 'trust.json'), '{"version":7}');
    const broken = await run(place, ['skills', 'trust', './loose', '--yes']);
    expect([broken.code, oneLineOf(broken)]).toEqual([2, expect.stringMatching(/trust\.json has version 7, which a newer skillmint has written/)]);
  });
});

describe.skipIf(withoutTmux)('skills trust in a terminal (needs tmux)', () => {
  it('asks until the answer is clear, and only a yes trusts', async () => {
    const place = makePlace();
    withSkill(place);
    const first = startTerminal(place, ['skills', 'trust', 'keen']);
    await first.shows('Trust project:keen as it is now? y = yes, n = no:');
    first.type('maybe');
    await first.shows('y = yes, n = no:');
    first.type('n');
    expect(await first.ended()).toBe(6);
    expect(await show(place)).toMatchObject({ trusted: false });
    fs.rmSync(path.join(place.root, 'status'));
    const second = startTerminal(place, ['skills', 'trust', 'keen']);
    await second.shows('n = no:');
    second.type('y');
    expect(await second.ended()).toBe(0);
    expect(await show(place)).toMatchObject({ trusted: true });
  });
});
