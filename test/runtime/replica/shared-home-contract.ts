import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { say, type Place } from '../open.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A worker of a person, with the folder that it works in. */
export interface HomeWorker {
  readonly runtime: Runtime;
  readonly place: Place;
}

/** Two workers for one person, in the same project. */
export type OpenWorkers = () => Promise<{ readonly a: HomeWorker; readonly b: HomeWorker; readonly project: string }>;

const METALS = ['iron', 'copper', 'zinc', 'tin', 'lead', 'nickel', 'silver', 'gold'];

const never = new AbortController().signal;

/** A folder with a skill that has a script, as somebody else has written it. */
function foreignSkill(text = 'echo foreign'): string {
  const folder = path.join(temporaryFolder(), 'foreign');
  fs.mkdirSync(path.join(folder, 'scripts'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: foreign\ndescription: Prints the weather of foreign countries.\n---\nRun scripts/main.sh.\n');
  fs.writeFileSync(path.join(folder, 'scripts/main.sh'), `#!/bin/sh\n${text} "$@"\n`, { mode: 0o755 });
  return folder;
}

/** What a person can expect of their skills, settings, trust and memory, whatever keeps them: a change through one worker is seen through the other. */
export function describeSharedHome(name: string, open: OpenWorkers): void {
  describe(`skills, settings, trust and memory with ${name}`, () => {
    it('lists, finds, shows and reads what the other has made, changed, switched off and removed', async () => {
      const { a, b, project } = await open();
      const [one, two] = [await a.runtime.library(project), await b.runtime.library(project)];
      expect((await two.list()).some(({ name: each }) => each === 'tides')).toBe(false);
      const made = await one.create({ name: 'tides', description: 'Computes high and low tides of harbours.', instructions: 'Look at the moon.' }, 'user');
      expect(made.trusted).toBe(true);
      expect((await two.list()).find(({ name: each }) => each === 'tides')).toMatchObject({ id: 'user:tides', enabled: true, status: 'loaded' });
      expect((await two.search('when is high tide in the harbour', 3)).skills[0]?.id).toBe('user:tides');
      const before = await one.show('tides');
      const shown = await two.show('tides');
      expect(shown).toMatchObject({ digest: before.digest, trust: { trusted: true }, body: expect.stringContaining('Look at the moon.') });
      expect(Buffer.from(await two.readFile('tides', 'SKILL.md')).toString()).toContain('high and low tides');
      await two.describe('tides', 'Computes eclipses of the moon.');
      expect((await one.show('tides')).description).toBe('Computes eclipses of the moon.');
      expect((await one.search('eclipse of the moon', 1)).skills[0]?.id).toBe('user:tides');
      await one.switch('tides', false);
      // Settings that another process has changed are read anew after half a second.
      await expect.poll(async () => (await two.list()).find(({ name: each }) => each === 'tides')?.enabled).toBe(false);
      await two.switch('tides', true);
      await two.remove('tides');
      expect((await one.list()).some(({ name: each }) => each === 'tides')).toBe(false);
      await expect(one.show('tides')).rejects.toMatchObject({ code: 'skill_not_found' });
    });

    it('ranks the same for a question, whoever is asked, as skills come and go', async () => {
      const { a, b, project } = await open();
      const [one, two] = [await a.runtime.library(project), await b.runtime.library(project)];
      const both = async (question: string): Promise<readonly string[]> => {
        const [here, there] = [await one.search(question, 5), await two.search(question, 5)];
        expect(there, question).toEqual(here);
        expect(here.complete).toBe(true);
        return here.skills.map(({ id }) => id);
      };
      for (const [at, metal] of METALS.entries()) await (at % 2 === 0 ? one : two).create({ name: `${metal}-prices`, description: `Looks up what ${metal} costs on the market.`, instructions: `Ask for ${metal}.` }, 'user');
      await two.create({ name: 'invoices-zh', description: '核对发票和订单，找出差异。', instructions: '先看发票。' }, 'user');
      expect((await both('price of copper today'))[0]).toBe('user:copper-prices');
      expect((await both('请核对这些发票'))[0]).toBe('user:invoices-zh');
      expect(await both('what does a metal cost on the market')).toHaveLength(5);
      await two.remove('copper-prices');
      expect(await both('price of copper today')).not.toContain('user:copper-prices');
      await one.describe('zinc-prices', 'Looks up what copper and zinc cost.');
      expect((await both('price of copper today'))[0]).toBe('user:zinc-prices');
    });

    it('installs for both, runs what was trusted through either, and asks again for another content', async () => {
      const { a, b, project } = await open();
      const [one, two] = [await a.runtime.library(project), await b.runtime.library(project)];
      const wish = { scope: 'user', replace: false, signal: never, progress: () => undefined } as const;
      await one.install({ source: foreignSkill() }, wish);
      expect((await two.show('foreign')).trust).toEqual({ trusted: false, why: 'never trusted' });
      expect((await two.execute('foreign', ['x'], { signal: never })).stdout).toBe('foreign x\n');
      await expect(two.install({ source: foreignSkill() }, wish)).rejects.toMatchObject({ code: 'skill_exists' });
      await two.trust('foreign', (await two.examine('foreign')).report.digest);
      expect((await one.show('foreign')).trust).toMatchObject({ trusted: true });
      const trustedDigest = (await one.show('foreign')).digest;
      await two.install({ source: foreignSkill('echo other') }, { ...wish, replace: true });
      const changed = await one.show('foreign');
      expect(changed.digest).not.toBe(trustedDigest);
      expect(changed.trust).toMatchObject({ trusted: false, why: 'changed since it was trusted', before: trustedDigest });
      expect((await one.execute('foreign', ['x'], { signal: never })).stdout).toBe('other x\n');
      await one.trust('foreign', changed.digest);
      expect(await two.revoke('foreign')).toBe(true);
      expect((await one.show('foreign')).trust).toMatchObject({ trusted: false });
    });

    it('takes back through one what a turn of the other has changed, and forgets it with the session', async () => {
      const { a, b, project } = await open();
      const file = path.join(project, 'notes.txt');
      fs.writeFileSync(file, 'as it was\n');
      const { result } = await say(a.runtime, { text: 'please edit', cwd: project });
      expect(fs.readFileSync(file, 'utf8')).toBe('changed\n');
      const service = await b.runtime.rewind(result.session_id);
      const [point] = await service.points();
      expect((await service.run(point?.seq ?? 0, { overwrite: false, conversation: false })).restored).toEqual([file]);
      expect(fs.readFileSync(file, 'utf8')).toBe('as it was\n');
      await b.runtime.sessions.remove(result.session_id);
      await expect(a.runtime.sessions.get(result.session_id)).rejects.toMatchObject({ code: 'session_not_found' });
    });

    it('has one set of settings and one memory, for people and for turns', async () => {
      const { a, b, project } = await open();
      await (await a.runtime.settings(project)).set('userPrompt', 'Answer in verse.');
      await (await b.runtime.settings(project)).set('effort', 'low');
      const rows = (await (await a.runtime.settings(project)).list()).settings;
      expect(rows.filter(({ key }) => key === 'userPrompt' || key === 'effort').map(({ own }) => own).toSorted()).toEqual(['Answer in verse.', 'low']);
      const [mine, theirs] = [await a.runtime.memory(project), await b.runtime.memory(project)];
      await mine.write('build', 'make all');
      await theirs.write('test', 'make check');
      expect((await mine.list()).map(({ key }) => key)).toEqual(['build', 'test']);
      expect((await theirs.read('build')).text).toBe('make all');
      const { result } = await say(b.runtime, { text: 'remember', cwd: project });
      expect(result.status).toBe('done');
      expect((await mine.read('from-a-turn')).text).toBe('kept by a model');
      await mine.remove('build');
      await expect(theirs.read('build')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('goes on in a session of the other with the skill that the other has made since', async () => {
      const { a, b, project } = await open();
      const { result } = await say(a.runtime, { text: 'hello', cwd: project });
      await (await a.runtime.library(project)).create({ name: 'later', description: 'Comes later.', instructions: 'Say LATER-BODY.' }, 'user');
      const { events } = await say(b.runtime, { text: 'load it', sessionId: result.session_id });
      expect(events).toContainEqual(expect.objectContaining({ type: 'skill.activated', skill_id: 'user:later' }));
    });
  });
}
