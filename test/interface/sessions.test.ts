import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { eventsOf, makePlace } from '../e2e/program.ts';
import { expectAccessible, openInterface, picture, type OpenInterface } from './open-interface.ts';

/** Has a session with one turn, and waits for its end. */
async function converse({ served }: Pick<OpenInterface, 'served'>, text: string): Promise<string> {
  const { ask } = served();
  const id = String((await ask('POST', '/api/sessions', { body: {} })).json['id']);
  expect((await ask('POST', `/api/sessions/${id}/messages`, { body: { text } })).status).toBe(202);
  await expect.poll(async () => (await ask('GET', `/api/sessions/${id}`)).json['status'], { timeout: 15_000 }).toBe('done');
  return id;
}

async function toSessions(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
}

const titles = (page: Page): Promise<readonly string[]> => page.getByRole('listitem').locator('a[href^="/chat/"]:not([aria-label])').allTextContents();

describe.skipIf(withoutChromium)('the page of sessions', { timeout: 90_000 }, () => {
  it('filters sessions, exports one, copies one, and removes those that are chosen after a question', async () => {
    const open = await openInterface({ steps: ['It has four lines.', 'Done, all of it.', 'Nothing to say.'] });
    const { page, served, faults } = open;
    const first = await converse(open, 'Count the lines of the list');
    await converse(open, 'Sort the list');
    await converse(open, 'Write a poem about <b>rain</b>');
    await served().ask('POST', '/api/sessions', { body: {} });
    await toSessions(page);
    await expect.poll(() => titles(page)).toEqual(['(no message yet)', 'Write a poem about <b>rain</b>', 'Sort the list', 'Count the lines of the list']);
    await picture(page, 'sessions');
    await expectAccessible(page);
    await page.getByRole('searchbox').fill('LIST');
    await expect.poll(() => titles(page)).toEqual(['Sort the list', 'Count the lines of the list']);
    await page.getByLabel('Status').selectOption('idle');
    await page.getByText('No session fits.').waitFor();
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => titles(page)).toEqual(['(no message yet)']);
    await page.getByLabel('Status').selectOption('');
    await page.getByLabel('Folder', { exact: true }).selectOption({ index: 1 });
    await expect.poll(() => titles(page)).toHaveLength(4);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export: Count the lines of the list' }).click()]);
    expect(saved.suggestedFilename()).toBe(`${first}.jsonl`);
    expect(eventsOf(fs.readFileSync(await saved.path(), 'utf8')).at(-1)).toMatchObject({ type: 'turn.completed', status: 'done' });
    await page.getByRole('link', { name: 'Resume: Sort the list' }).click();
    await page.waitForURL('**/chat/*');
    await page.goBack();
    await page.getByRole('button', { name: 'Fork: Sort the list' }).click();
    await page.waitForURL('**/chat/*');
    await toSessions(page);
    await expect.poll(() => titles(page)).toHaveLength(5);
    await page.getByRole('checkbox', { name: 'Choose Write a poem' }).check();
    await page.getByRole('checkbox', { name: 'Choose Count the lines' }).check();
    await page.getByRole('button', { name: 'Delete 2 chosen' }).click();
    await picture(page, 'sessions-delete');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => titles(page)).toEqual(['Sort the list', '(no message yet)', 'Sort the list']);
    expect((await served().ask('GET', `/api/sessions/${first}`)).status).toBe(404);
    await page.getByRole('button', { name: 'Delete: (no message yet)' }).click();
    await page.keyboard.press('Escape');
    expect(await titles(page)).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  it('pages through many', async () => {
    const { page, served } = await openInterface();
    for (let made = 0; made < 60; made++) await served().ask('POST', '/api/sessions', { body: {} });
    await toSessions(page);
    await expect.poll(() => titles(page)).toHaveLength(50);
    await page.getByRole('button', { name: 'Older' }).click();
    await expect.poll(() => titles(page)).toHaveLength(10);
    await page.getByRole('button', { name: 'Newer' }).click();
    await expect.poll(() => titles(page)).toHaveLength(50);
  });

  it('replays a session step by step, by keyboard, too, and copies it from an event on', async () => {
    const open = await openInterface({ steps: [{ text: 'I look.', calls: [{ name: 'LS', input: { path: '.' } }] }, 'There is <img src="https://example.org/x.png"> nothing.'] });
    const { page, served, faults } = open;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const id = await converse(open, 'Look around');
    await toSessions(page);
    await page.getByRole('link', { name: 'Replay: Look around' }).click();
    await page.getByRole('heading', { name: 'Look around', level: 1 }).waitFor();
    const events = page.getByRole('region', { name: 'Events so far' }).getByRole('listitem');
    await expect.poll(() => events.count()).toBe(1);
    await page.getByRole('button', { name: 'Next event' }).click();
    await expect.poll(() => events.count()).toBe(2);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => events.count()).toBe(3);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('End');
    await page.getByText('There is <img src="https://example.org/x.png"> nothing.').first().waitFor();
    await page.getByText('LS {"path":"."}').waitFor();
    await picture(page, 'replay');
    await expectAccessible(page);
    await page.getByRole('slider', { name: 'Step' }).focus();
    await page.keyboard.press('Home');
    await expect.poll(() => events.count()).toBe(1);
    await events.first().getByRole('button', { name: 'JSON' }).click();
    await events.first().getByText('"type": "session.started"').waitFor();
    await page.keyboard.press('Tab');
    const place = await eventNumber(open, id, 'message.completed');
    await page.getByRole('slider', { name: 'Step' }).fill(`${place}`);
    await page.getByRole('button', { name: 'Fork here' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/chat/') && !url.pathname.endsWith(id));
    const fork = new URL(page.url()).pathname.replace('/chat/', '');
    const copied = eventsOf((await served().ask('GET', `/api/sessions/${fork}/export`)).text);
    expect(copied[place - 1]?.type).toBe('message.completed');
    expect(copied[place]?.type).toBe('session.forked');
    expect(asked.filter((url) => !url.startsWith(open.url()))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('replays a session of 5,000 events with only the rows that are seen', async () => {
    const place = makePlace();
    const store = sqliteSessions(openSqlite(path.join(place.data, 'skillmint.db'), SESSION_MIGRATIONS), { now: () => Date.now(), isAlive: () => false });
    const lease = await store.create({ session_id: 'ses_long', cwd: place.project, model: 'fake/m' }, { instance: 'test', machine: 'test', pid: 1, started: 'x' });
    await store.append(lease, Array.from({ length: 5_000 }, (_, index) => ({ time: new Date(index * 1_000).toISOString(), body: { type: 'warning', code: 'test', message: `Event number ${index + 1}. ${'It has more to say. '.repeat(index % 9)}` } })));
    await store.release(lease);
    await store.close();
    const { page, url, faults } = await openInterface({ place });
    await page.goto(`${url()}/sessions/ses_long`);
    await page.getByText('1 of 5000').waitFor();
    await page.keyboard.press('End');
    await page.getByText('Event number 5000.').waitFor();
    await page.keyboard.press('PageUp');
    await page.getByText('4990 of 5000').waitFor();
    await page.getByRole('slider', { name: 'Step' }).fill('2500');
    await page.getByText('Event number 2500.').waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(60);
    expect(faults).toEqual([]);
  });

  it('says what is wrong with an address that leads to no session', async () => {
    const { page, url } = await openInterface();
    await page.goto(`${url()}/sessions/ses_nothing`);
    await page.getByRole('alert').getByText('There is no session ses_nothing').waitFor();
    expect(await page.getByRole('slider').count()).toBe(0);
  });
});

async function eventNumber({ served }: Pick<OpenInterface, 'served'>, id: string, type: string): Promise<number> {
  const all = eventsOf((await served().ask('GET', `/api/sessions/${id}/export`)).text);
  return all.findIndex((event) => event.type === type) + 1;
}
