import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { localFiles } from '../../src/host/local-files.ts';
import { localTree } from '../../src/host/local-tree.ts';
import { trustSkill } from '../../src/skills/trust/edit-trust.ts';
import { examineSkill } from '../../src/skills/trust/trust-report.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { withoutBubblewrap } from '../e2e/program.ts';
import { eventsOf, makePlace, open, say, writeSkill, type Finished, type Place } from './open.ts';

const load = (skill: string) => ({ calls: [{ tool: 'Skill', input: { skill } }] });
const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] });
const DEFAULT = { permissions: { mode: 'default' } } as const;

/** Trusts the skill as it lies there now, as `skills trust` does. */
async function trust(place: Place, id: string, folder: string, file = path.join(folder, 'SKILL.md')): Promise<void> {
  const tree = localTree();
  await trustSkill({ tree, files: localFiles(), dataFolder: place.data, now: Date.now }, { id, source: 'project', folder }, await examineSkill(tree, { folder, file }));
}

/** A turn in which the model loads the skill and runs a command. */
async function loadAndTouch(place: Place, skill: string): Promise<Finished> {
  const { runtime } = await open(scriptedModel([load(skill), bash('touch a.txt'), 'done']), { place, settings: DEFAULT });
  return say(runtime, { text: 'x', cwd: place.project });
}

describe('allowed-tools of a project\'s skill', () => {
  it('asks before it is trusted, lets pass afterwards, and asks again after a change of any file (C-M6)', async () => {
    const place = makePlace();
    const folder = path.dirname(writeSkill(place, 'keen', { frontmatter: 'allowed-tools: Bash(*)\n' }));
    expect((await loadAndTouch(place, 'keen')).result.status).toBe('waiting');
    await trust(place, 'project:keen', folder);
    expect((await loadAndTouch(place, 'keen')).result.status).toBe('done');
    fs.writeFileSync(path.join(folder, 'notes.txt'), 'new');
    const { result, events } = await loadAndTouch(place, 'keen');
    expect(result.status).toBe('waiting');
    expect(eventsOf(events, 'warning').map(({ message }) => message)).toContainEqual(expect.stringContaining('changed since it was trusted'));
  });

  it('are those of the content that is trusted, whatever stood there when the skill was found', async () => {
    const place = makePlace();
    const file = writeSkill(place, 'shifty', { frontmatter: 'allowed-tools: Read\n' });
    await trust(place, 'project:shifty', path.dirname(file));
    const good = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(path.join(place.project, 'good'), good);
    fs.writeFileSync(file, good.replace('allowed-tools: Read', 'allowed-tools: Bash(*)'));
    const { runtime } = await open(scriptedModel([bash(`cp good '${file}'`), load('shifty'), 'done']), { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'skill.activated').map(({ effects }) => effects)).toEqual([{ grants: ['Read'] }]);
  });

  it('are not given to a person\'s own folder in which the agent can write', async () => {
    const place = makePlace();
    const write = (root: string, name: string): void => {
      fs.mkdirSync(path.join(root, name), { recursive: true });
      fs.writeFileSync(path.join(root, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Does ${name}.\nallowed-tools: Bash(*)\n---\nGo.\n`);
    };
    write(path.join(place.project, 'mine'), 'inside');
    write(path.join(place.home, 'mine'), 'outside');
    const paths = { ...DEFAULT, skills: { paths: [path.join(place.project, 'mine'), path.join(place.home, 'mine')] } };
    const status = async (skill: string): Promise<string> => {
      const { runtime } = await open(scriptedModel([load(skill), bash('touch a.txt'), 'done']), { place, settings: paths });
      return (await say(runtime, { text: 'x', cwd: place.project })).result.status;
    };
    expect([await status('inside'), await status('outside')]).toEqual(['waiting', 'done']);
  });
});

describe('a command of a project', () => {
  function command(place: Place, text: string): string {
    const file = path.join(place.project, '.claude/commands/ops/deploy.md');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  }

  it('is called by a person and never by the model', async () => {
    const place = makePlace();
    command(place, '---\ndescription: Deploys.\n---\nDEPLOY IT NOW\n');
    const model = scriptedModel([load('ops:deploy'), 'done', 'called']);
    const { runtime } = await open(model, { place });
    const first = await say(runtime, { text: 'deploy', cwd: place.project });
    expect(eventsOf(first.events, 'tool.completed').map(({ status }) => status)).toEqual(['error']);
    expect(JSON.stringify(model.requests[0])).not.toContain('Deploys.');
    const second = await say(runtime, { text: '/ops:deploy', sessionId: first.result.session_id });
    expect(eventsOf(second.events, 'skill.activated').map(({ skill_id, trigger }) => [skill_id, trigger])).toEqual([['project:ops:deploy', 'user']]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('DEPLOY IT NOW');
  });

  it('gets its tools once its file is trusted, and is not changed by files beside it', async () => {
    const place = makePlace();
    const file = command(place, '---\ndescription: Deploys.\nallowed-tools: Bash(touch *)\n---\nGo.\n');
    const called = async (): Promise<Finished> => {
      const { runtime } = await open(scriptedModel([bash('touch a.txt'), 'done']), { place, settings: DEFAULT });
      return say(runtime, { text: '/ops:deploy', cwd: place.project });
    };
    expect((await called()).result.status).toBe('waiting');
    await trust(place, 'project:ops:deploy', file, file);
    fs.writeFileSync(path.join(path.dirname(file), 'other.md'), 'Other.\n');
    expect((await called()).result.status).toBe('done');
  });
});

describe.skipIf(withoutBubblewrap)('a command of the person, in the sandbox (needs bubblewrap)', () => {
  it('can be read there, and what lies beside it cannot', async () => {
    const place = makePlace();
    const folder = path.join(place.home, '.claude/commands');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'mine.md'), 'MINE ALONE\n');
    fs.writeFileSync(path.join(folder, 'other.md'), 'OTHER\n');
    const { runtime } = await open(scriptedModel([bash(`cat ${folder}/mine.md; cat ${folder}/other.md; echo x >> ${folder}/mine.md`), 'done']), { place, settings: { sandbox: 'required', permissions: { mode: 'unrestricted' } } });
    const { events } = await say(runtime, { text: '/mine', cwd: place.project });
    const output = JSON.stringify(eventsOf(events, 'tool.completed').at(-1)?.output);
    expect(output).toContain('MINE ALONE');
    expect(output).not.toContain('OTHER');
    expect(fs.readFileSync(path.join(folder, 'mine.md'), 'utf8')).toBe('MINE ALONE\n');
  });
});

describe('a skill of an npm package', () => {
  it('can be used with the setting alone, and gets no rights before it is trusted', async () => {
    const place = makePlace();
    const folder = path.join(place.project, 'node_modules', '@scope', 'charts', 'skills', 'draw');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: draw\ndescription: Draws.\nallowed-tools: Bash(*)\n---\nDraw it.\n');
    const use = async (npm: boolean): Promise<Finished> => {
      const { runtime } = await open(scriptedModel([load('npm:@scope/charts:draw'), bash('touch a.txt'), 'done']), { place, settings: { ...DEFAULT, skills: { npm } } });
      const finished = await say(runtime, { text: 'x', cwd: place.project });
      expect((await runtime.skills(place.project)).entries.some(({ source }) => source === 'npm:@scope/charts')).toBe(npm);
      return finished;
    };
    expect(eventsOf((await use(false)).events, 'skill.activated')).toEqual([]);
    const before = await use(true);
    expect(eventsOf(before.events, 'skill.activated').map(({ skill_id }) => skill_id)).toEqual(['npm:@scope/charts:draw']);
    expect(before.result.status).toBe('waiting');
    await trust(place, 'npm:@scope/charts:draw', folder);
    expect((await use(true)).result.status).toBe('done');
  });
});
