import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { UsageSum } from '../../src/protocol/usage.ts';
import { isObject } from '../../src/protocol/json.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { writeSkill, type Place } from '../e2e/program.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { expectAccessible, openInterface, picture, type OpenInterface } from './open-interface.ts';

const DAY_MS = 86_400_000;
/** Of the tables, behind the name. */
const COLUMNS = ['turns', 'steps', 'input', 'cache_read', 'cache_write', 'output', 'cost_usd', 'model_ms', 'tool_ms'] as const;

async function turn({ served }: OpenInterface, message: object): Promise<void> {
  const { json: { id } } = await served().ask('POST', '/api/sessions', { body: {} });
  await served().ask('POST', `/api/sessions/${String(id)}/messages`, { body: message });
  await expect.poll(async () => (await served().ask('GET', `/api/sessions/${String(id)}`)).json['status'], { timeout: 20_000 }).toBe('done');
}

/** What the program would have noted on the days before, so that there is something to look at. */
function writeEarlierDays({ data }: Place, count: number): void {
  const db = openSqlite(path.join(data, 'skillmint.db'), SESSION_MIGRATIONS);
  try {
    for (let ago = 1; ago <= count; ago += 1) {
      const day = new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
      const much = (1 + Math.sin(ago * 0.9)) * (ago % 7 > 4 ? 0.2 : 1);
      for (const [index, model] of ['anthropic/claude-sonnet-5-5', 'openai/gpt-6.2-sol'].entries()) {
        const share = much / (index + 1);
        db.run('INSERT INTO turn_usage (session_id, turn_id, model, day, skills, steps, input, output, cache_read, cache_write, cost_usd, model_ms, tool_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [`s${ago}`, `t${ago}`, model, day, JSON.stringify(ago % 3 === 0 ? ['user:pdf'] : ['project:report']), 4 + (ago % 5), Math.round(share * 40_000), Math.round(share * 9_000), Math.round(share * 120_000), Math.round(share * 15_000), share * 0.31, Math.round(share * 21_000), Math.round(share * 8_000)]);
      }
    }
  } finally {
    db.close();
  }
}

async function sumsOf({ served }: OpenInterface, query = ''): Promise<readonly UsageSum[]> {
  const { json: { days } } = await served().ask('GET', `/api/usage${query}`);
  return Array.isArray(days) ? days.filter((day): day is UsageSum => isObject(day)) : [];
}

const total = (rows: readonly UsageSum[], key: (typeof COLUMNS)[number]): number => rows.reduce((sum, row) => sum + row[key], 0);

/** How many pixels of each canvas are painted in full. */
function painted(page: Page): Promise<readonly number[]> {
  return page.evaluate(`[...document.querySelectorAll('canvas')].map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i] === 255) count += 1;
    return count;
  })`);
}

/** The colour that most painted pixels of the first plot have. */
function mainColour(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) {
      const colour = [data[i], data[i + 1], data[i + 2]].join(' ');
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'none';
  })()`);
}

describe.skipIf(withoutChromium)('the usage page', () => {
  it('says that nothing was used, then draws real turns and tells the numbers of the API', { timeout: 240_000 }, async () => {
    const open = await openInterface({ settings: { permissions: { mode: 'unrestricted' } }, steps: [
      { calls: [{ name: 'Bash', input: { command: 'sleep 0.2' } }], usage: { input: 1_200, output: 30, cached: 400 } },
      { text: 'one', usage: { input: 1_500, output: 20, cached: 900 } },
      { text: 'two', usage: { input: 700, output: 500 } },
    ] });
    const { page, faults, place } = open;
    writeSkill(path.join(place.project, '.claude/skills'), { name: 'report' });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Nothing was used in these days.' }).waitFor();
    await turn(open, { text: 'look' });
    await turn(open, { text: 'look again', skill: 'report' });
    await page.reload();
    await expect.poll(() => painted(page)).toHaveLength(4);
    for (const count of await painted(page)) expect(count).toBeGreaterThan(100);
    const days = await sumsOf(open);
    const table = page.getByRole('region', { name: 'By model' });
    const inAll = await table.getByRole('row', { name: 'In all' }).locator('data').evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('value'))));
    for (const [at, key] of COLUMNS.entries()) expect(inAll[at], key).toBeCloseTo(total(days, key), 9);
    expect([total(days, 'turns'), total(days, 'input'), total(days, 'output')]).toEqual([2, 1_200 + 1_500 + 700, 550]);
    expect(total(days, 'tool_ms')).toBeGreaterThanOrEqual(200);
    expect(await table.getByRole('row', { name: 'fake/m' }).count()).toBe(1);
    expect(await page.getByRole('region', { name: 'By skill' }).getByRole('row', { name: 'project:report' }).getByRole('cell').first().textContent()).toBe('1');
    await page.getByText('By day', { exact: true }).click();
    expect(await page.getByRole('region', { name: 'By day' }).getByRole('row').count()).toBe(days.length + 2);
    expect(faults).toEqual([]);
  });

  it('keeps to the days that are chosen, sorts, takes the colours of the theme and speaks Chinese', { timeout: 240_000 }, async () => {
    const open = await openInterface({ steps: ['hello'] });
    const { page, place, faults } = open;
    await turn(open, { text: 'hello' });
    writeEarlierDays(place, 60);
    await page.getByRole('link', { name: 'Usage' }).click();
    const turnsShown = page.getByRole('region', { name: 'By model' }).getByRole('row', { name: 'In all' }).getByRole('cell').first();
    await turnsShown.waitFor();
    expect(await turnsShown.textContent()).toBe('30');
    await page.getByRole('radio', { name: '30 days' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => turnsShown.textContent()).toBe('7');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => turnsShown.textContent()).toBe('61');
    await page.getByRole('radio', { name: '30 days' }).check();
    await expect.poll(() => turnsShown.textContent()).toBe('30');

    const names = page.getByRole('region', { name: 'By model' }).locator('tbody th');
    expect(await names.allTextContents()).toEqual(['anthropic/claude-sonnet-5-5', 'openai/gpt-6.2-sol', 'fake/m']);
    await page.getByRole('region', { name: 'By model' }).getByRole('button', { name: 'Output' }).press('Enter');
    await page.getByRole('region', { name: 'By model' }).getByRole('button', { name: 'Output' }).press('Enter');
    expect(await names.allTextContents()).toEqual(['fake/m', 'openai/gpt-6.2-sol', 'anthropic/claude-sonnet-5-5']);
    expect(await page.getByRole('region', { name: 'By model' }).getByRole('columnheader', { name: 'Output' }).getAttribute('aria-sort')).toBe('ascending');

    const light = await mainColour(page);
    await page.getByRole('button', { name: /^Colours:/ }).click();
    await page.getByRole('button', { name: 'Colours: light' }).click();
    await expect.poll(() => mainColour(page)).not.toBe(light);
    await page.getByRole('button', { name: 'Colours: dark' }).click();
    await expect.poll(() => mainColour(page)).toBe(light);
    await page.locator('.u-over').first().hover({ position: { x: 200, y: 60 } });
    await expect.poll(() => page.locator('figure').first().locator('figcaption').textContent()).toMatch(/\d{4}/);
    await page.mouse.move(0, 0);

    await expectAccessible(page);
    await picture(page, 'usage');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.querySelector("main").scrollWidth <= 390')).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('heading', { name: '用量' }).waitFor();
    await page.getByRole('heading', { name: '每日费用' }).waitFor();
    await picture(page, 'usage-zh');
    expect(faults).toEqual([]);
  });
});
