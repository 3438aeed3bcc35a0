import { describe, expect, it } from 'vitest';
import type { FakeRequest, FakeWord } from '../../src/testing/fake-provider/script.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { makePlace, writeSkill, type Place } from '../e2e/program.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';
import { ownSkills, rowOf, toSkills } from './skills-journey.ts';

const usage = { input: 1_000, output: 100 };

function reporterIn(place: Place): void {
  const evals = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, prompt: `Task ${id}: the report, please.`, expectations: [{ check: 'file_matches', path: 'report.txt', pattern: '^total 42$' }, { check: 'file_exists', path: 'report.txt' }] }));
  const triggers = [{ query: 'a report of March: load', should_trigger: true }, { query: 'a report of May: ignore', should_trigger: true }, { query: 'a poem: load', should_trigger: false }, { query: 'a song: ignore', should_trigger: false }];
  writeSkill(ownSkills(place), { name: 'reporter', description: 'Makes reports.', body: 'INSTRUCTIONS OF THE SKILL\n\nWrite what the total is into report.txt.\n', files: { 'evals/evals.json': JSON.stringify({ skill_name: 'reporter', evals }), 'evals/triggers.json': JSON.stringify(triggers) } });
}

/** Loads the skill where it is offered, unless told to ignore it, and does what it says; waits for `allowed` before. */
function executor(allowed: () => Promise<void>): (request: FakeRequest) => Promise<FakeWord> {
  return async ({ text }) => {
    await allowed();
    const isLoaded = text.includes('INSTRUCTIONS OF THE SKILL');
    const results = (text.match(/"role":"tool"/g) ?? []).length;
    if (!isLoaded && text.includes('- reporter') && results === 0 && !text.includes(': ignore')) return { calls: [{ name: 'Skill', input: { skill: 'reporter' } }], usage };
    if (text.includes('Task ') && !/tool_calls.*"name":"Write"/.test(text)) return { calls: [{ name: 'Write', input: { file_path: 'report.txt', content: isLoaded ? 'total 42' : 'something' } }], usage };
    return { text: 'Done.', usage };
  };
}

describe.skipIf(withoutChromium)('evaluations in the interface', { timeout: 90_000 }, () => {
  it('begins one from the page of the skill, follows it, and shows what it has found with plots', async () => {
    const place = makePlace();
    reporterIn(place);
    let given = 6;
    let waiting: (() => void)[] = [];
    const allowed = async (): Promise<void> => {
      given -= 1;
      if (given < 0) await new Promise<void>((resolve) => waiting.push(resolve));
    };
    const { page, faults } = await openInterface({ place, steps: Array.from({ length: 500 }, () => executor(allowed)) });
    await toSkills(page);
    await rowOf(page, 'skill-creator').getByText('Meta', { exact: true }).waitFor();
    expect(await rowOf(page, 'reporter').getByText('Meta', { exact: true }).count()).toBe(0);
    await rowOf(page, 'reporter').getByRole('link').click();
    await page.getByText('It was never evaluated.').waitFor();
    await page.getByRole('button', { name: 'Evaluate…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Runs of each case').fill('1');
    await picture(page, 'evaluate-dialog');
    await dialog.getByRole('button', { name: 'Evaluate', exact: true }).click();
    await page.getByRole('heading', { name: 'Evaluation of reporter' }).waitFor();
    await page.getByText('Running').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('max')).toBe('20');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Unfinished').waitFor();
    await page.getByText('Not enough evidence').first().waitFor();
    given = 10_000;
    for (const go of waiting) go();
    waiting = [];
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Finished', { exact: true }).waitFor();
    await page.getByText('20 of 20 runs').waitFor();
    await page.getByText('Better', { exact: true }).first().waitFor();
    for (const name of ['Expectations met, in percent', 'Tokens of a run', 'Seconds of a run', 'Differences in points']) await page.getByRole('img', { name }).waitFor();
    const matrix = page.getByRole('table', { name: 'Which messages have loaded the skill' });
    expect((await matrix.getByRole('cell').allTextContents()).filter((text) => text !== '')).toEqual(['1', '1', '1', '1']);
    await page.getByText('a report of May: ignore').waitFor();
    await page.getByText('offered but not selected: 1').waitFor();
    await page.getByText('always met: it tells nothing').first().waitFor();
    await picture(page, 'evaluation');
    await matrix.scrollIntoViewIfNeeded();
    await picture(page, 'evaluation-triggers');
    await expectAccessible(page);
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('heading', { name: 'reporter 的评测' }).waitFor();
    await page.getByText('更好').first().waitFor();
    await page.getByRole('link', { name: '返回技能' }).click();
    await page.getByRole('link', { name: /已完成/ }).waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  it('says why one could not be begun', async () => {
    const place = makePlace();
    writeSkill(ownSkills(place), { name: 'plain', description: 'Plain.', body: 'Nothing to measure.' });
    const { page } = await openInterface({ place });
    await toSkills(page);
    await rowOf(page, 'plain').getByRole('link').click();
    await page.getByRole('button', { name: 'Evaluate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Evaluate', exact: true }).click();
    await expect.poll(() => page.getByRole('dialog').getByRole('alert').textContent()).toContain('The skill plain has no evals');
  });
});
