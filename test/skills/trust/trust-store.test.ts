import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { digestSkill } from '../../../src/skills/digest.ts';
import { openTrust, type TrustVerdict } from '../../../src/skills/trust/trust-store.ts';
import { asNobody, withoutAnotherUser } from '../../helpers/another-user.ts';
import { makePlace, type Place } from '../place.ts';

const tree = localTree();

function place(): Place & { readonly data: string } {
  const made = makePlace();
  onTestFinished(() => made.remove());
  return { ...made, data: path.join(made.home, '.skillmint') };
}

function verdict(data: string, skill: { readonly source: string; readonly folder: string }, workspace: readonly string[] = []): TrustVerdict {
  const { digest } = digestSkill(tree, skill.folder);
  return openTrust({ tree, dataFolder: data }).of({ id: `${skill.source}:${path.basename(skill.folder)}`, ...skill }, digest, workspace);
}

describe('who is trusted without being asked', () => {
  it('bundled skills and the person\'s own files are; those of projects, plugins, packages and paths are not', () => {
    const { data, skill } = place();
    const folder = skill('home/.agents/skills/one');
    expect(verdict(data, { source: 'bundled', folder })).toEqual({ trusted: true, why: 'it comes with skillmint' });
    for (const source of ['user', 'env']) expect(verdict(data, { source, folder })).toEqual({ trusted: true, why: 'it is your own file' });
    for (const source of ['project', 'plugin:tool', 'npm:tool', 'path']) expect(verdict(data, { source, folder })).toEqual({ trusted: false, why: 'never trusted' });
  });

  it('a skill that the lock file names is not the person\'s own, nor one that is nested in it or linked to it', () => {
    const { root, data, skill, write } = place();
    const [own, brought, nested] = [skill('home/.agents/skills/own'), skill('home/.agents/skills/Brought'), skill('home/.agents/skills/brought/inner')];
    write('home/.agents/skills/skills.lock.json', JSON.stringify({ version: 1, skills: { brought: { source: 'x' } } }));
    fs.mkdirSync(path.join(root, 'home/.claude/skills'), { recursive: true });
    const link = path.join(root, 'home/.claude/skills/other-name');
    fs.symlinkSync(brought, link);
    expect(verdict(data, { source: 'user', folder: own }).trusted).toBe(true);
    for (const folder of [brought, nested, link]) expect(verdict(data, { source: 'user', folder })).toEqual({ trusted: false, why: 'never trusted' });
  });

  it('what the lock file of another installer above the folder names is not the person\'s own either', () => {
    const { data, skill, write } = place();
    const [own, brought] = [skill('home/.agents/skills/own'), skill('home/.agents/skills/brought')];
    write('home/.agents/.skill-lock.json', JSON.stringify({ version: 3, skills: { brought: {} } }));
    expect([verdict(data, { source: 'user', folder: own }).trusted, verdict(data, { source: 'user', folder: brought }).trusted]).toEqual([true, false]);
  });

  it.each(['', '{', '[]', '{"version":1}', '{"version":1,"skills":[]}'])('under a lock file that says %j nothing is the person\'s own', (text) => {
    const { data, skill, write } = place();
    const folder = skill('home/.agents/skills/own');
    write('home/.agents/skills/skills.lock.json', text);
    expect(verdict(data, { source: 'user', folder })).toEqual({ trusted: false, why: 'never trusted' });
  });

  it('a listing of many skills reads each lock file once, and judges as single questions do', () => {
    const { data, skill, write } = place();
    const folders = ['own', 'brought', 'other', 'more'].map((name) => skill(`home/.agents/skills/${name}`));
    write('home/.agents/skills/skills.lock.json', JSON.stringify({ version: 1, skills: { Brought: {} } }));
    const read: string[] = [];
    const counting = { ...tree, read: (file: string) => {
      read.push(file);
      return tree.read(file);
    } };
    const trust = openTrust({ tree: counting, dataFolder: data, locks: new Map() });
    expect(folders.map((folder) => trust.of({ id: 'x', source: 'user', folder }, 'sha256:x').trusted)).toEqual([true, false, true, true]);
    expect(read.filter((file) => file.endsWith('skills.lock.json'))).toEqual([...new Set(read.filter((file) => file.endsWith('skills.lock.json')))]);
    expect(read.some((file) => file.endsWith('skills.lock.json'))).toBe(true);
  });

  it('a folder in which the agent may write makes nothing the person\'s own; protected folders in it do', () => {
    const { home, data, skill } = place();
    const [open, guarded] = [skill('home/.agents/skills/a'), skill('home/.claude/skills/b')];
    expect(verdict(data, { source: 'env', folder: open }, [home])).toEqual({ trusted: false, why: 'never trusted' });
    expect(verdict(data, { source: 'user', folder: guarded }, [home]).trusted).toBe(true);
    expect(verdict(data, { source: 'env', folder: open }, [path.join(home, '.agents', 'ski')]).trusted).toBe(true);
  });

  it('a skill that cannot be read is not trusted', () => {
    const { data, root } = place();
    expect(verdict(data, { source: 'user', folder: path.join(root, 'gone') })).toEqual({ trusted: false, why: 'it cannot be read' });
  });
});

describe('the trust file', () => {
  const entry = { id: 'project:one', folder: '/x', digests: ['sha256:a'], trustedAt: '2026-01-01T00:00:00.000Z', files: {}, claims: {} };

  it.each([
    ['{"version":1,', /trust\.json is no JSON/],
    ['[]', /holds no JSON object/],
    ['{}', /has no "version": 1/],
    ['{"version":2,"skills":[]}', /which a newer skillmint has written.*Update skillmint/],
    ['{"version":1,"skills":{}}', /has no list "skills"/],
    [JSON.stringify({ version: 1, skills: [entry, { ...entry, digests: [1] }] }), /number 2 of "skills"/],
  ])('%j is an error that names it', (text, message) => {
    const { data, skill, write } = place();
    write('home/.skillmint/trust.json', text);
    expect(() => verdict(data, { source: 'project', folder: skill('work/project/.claude/skills/one') })).toThrow(message);
  });

  it.skipIf(withoutAnotherUser)('one without the right to read it is an error (needs another user)', async () => {
    const { root, data, skill, write } = place();
    fs.chmodSync(root, 0o755);
    fs.chmodSync(write('home/.skillmint/trust.json', '{"version":1,"skills":[]}'), 0o000);
    const folder = skill('work/project/.claude/skills/one');
    await asNobody(async () => expect(() => verdict(data, { source: 'project', folder })).toThrow(/trust\.json cannot be read/));
  });

  it('a folder in its place is an error, not an empty file', () => {
    const { data, skill } = place();
    fs.mkdirSync(path.join(data, 'trust.json'), { recursive: true });
    expect(() => verdict(data, { source: 'project', folder: skill('work/project/.claude/skills/one') })).toThrow(/trust\.json cannot be read/);
  });

  it('what another process writes is seen by one that has it open; a change of the skill is told from the first time', () => {
    const { data, skill, write } = place();
    const folder = skill('work/project/.claude/skills/one');
    const trust = openTrust({ tree, dataFolder: data });
    const ask = (): TrustVerdict => trust.of({ id: 'project:one', source: 'project', folder }, digestSkill(tree, folder).digest);
    expect(ask()).toEqual({ trusted: false, why: 'never trusted' });
    const { digest } = digestSkill(tree, folder);
    write('home/.skillmint/trust.json', JSON.stringify({ version: 1, skills: [{ ...entry, folder, digests: [digest] }] }));
    expect(ask()).toEqual({ trusted: true, why: 'you have trusted this content' });
    fs.appendFileSync(path.join(folder, 'SKILL.md'), 'more');
    expect(ask()).toEqual({ trusted: false, why: 'changed since it was trusted', before: digest });
  });

  it('a project\'s skill is not the earlier one of another project with its id; a plugin that moved with its version is', () => {
    const { data, skill, write } = place();
    const [other, plugin] = [skill('work/other/.claude/skills/one'), skill('home/.claude/plugins/cache/m/tool/2.0/skills/one')];
    const records = [{ ...entry, folder: '/elsewhere' }, { ...entry, id: 'plugin:tool:one', folder: '/1.0' }];
    write('home/.skillmint/trust.json', JSON.stringify({ version: 1, skills: records }));
    expect(verdict(data, { source: 'project', folder: other })).toEqual({ trusted: false, why: 'never trusted' });
    expect(verdict(data, { source: 'plugin:tool', folder: plugin })).toEqual({ trusted: false, why: 'changed since it was trusted', before: 'sha256:a' });
  });
});
