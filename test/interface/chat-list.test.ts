import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { makePlace } from '../e2e/program.ts';
import { beginChat, standingOut } from './begin-chat.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';

describe.skipIf(withoutChromium)('the list of chats', { timeout: 90_000 }, () => {
  it('loads more when it is scrolled, and is searched by title and folder', async () => {
    const place = makePlace();
    const garden = path.join(place.project, 'garden');
    fs.mkdirSync(garden);
    const { page, served } = await openInterface({ place, steps: ['Noted.'] });
    await beginChat(page, 'Plan the harvest');
    await page.getByText('Noted.').first().waitFor();
    await Promise.all(Array.from({ length: 119 }, (_, i) => served().ask('POST', '/api/sessions', { body: i === 60 ? { cwd: garden } : {} })));
    await page.reload();
    const list = page.getByRole('complementary', { name: 'Chats' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(50);
    await list.getByText('Loading more').scrollIntoViewIfNeeded();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(100);
    await list.getByText('Loading more').scrollIntoViewIfNeeded();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(120);
    const search = list.getByLabel('Search titles and folders');
    await search.fill('GARDEN');
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    await search.fill('harvest');
    await list.getByRole('link', { name: 'Plan the harvest' }).waitFor();
    await search.fill('nowhere');
    await list.getByText('No chat fits.').waitFor();
    await search.fill('');
    await picture(page, 'chat-list');
  });

  it('lets go of a chat after a question, and shows what begins elsewhere', async () => {
    const { page, served, provider } = await openInterface({ steps: ['Noted.'] });
    await beginChat(page, 'Plan the harvest');
    await page.getByText('Noted.').first().waitFor();
    const list = page.getByRole('complementary', { name: 'Chats' });
    await list.getByRole('link', { name: 'Plan the harvest' }).focus();
    await page.keyboard.press('Delete');
    const question = page.getByRole('dialog', { name: 'Delete this chat?' });
    await question.getByText('“Plan the harvest”').waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Keep it' }).click();
    await list.getByRole('button', { name: 'Delete: Plan the harvest' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await list.getByText('No chats yet.').waitFor();
    expect((await served().ask('GET', '/api/sessions')).json).toEqual({ sessions: [] });
    // What begins elsewhere appears by itself.
    provider.push('From elsewhere.');
    const { json } = await served().ask('POST', '/api/sessions', { body: {} });
    await served().ask('POST', `/api/sessions/${String(json['id'])}/messages`, { body: { text: 'Begun elsewhere' } });
    await list.getByRole('link', { name: 'Begun elsewhere' }).waitFor();
    await list.getByRole('button', { name: 'Delete: Begun elsewhere' }).click();
    await picture(page, 'chat-delete');
  });

  it('is a drawer at the width of a phone, as the panel is', async () => {
    const { page } = await openInterface({ steps: ['Hello.'], context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
    await beginChat(page, 'A rather long message that would not fit into one line of a phone in any way');
    await page.getByText('Hello.').first().waitFor();
    await expect.poll(() => standingOut(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show details' }).click();
    const about = page.getByRole('dialog', { name: 'About this chat' });
    await about.getByText('Active skills').waitFor();
    await expect.poll(() => standingOut(page)).toEqual([]);
    await picture(page, 'chat-panel-drawer');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await about.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show chats' }).click();
    const list = page.getByRole('dialog', { name: 'Chats' });
    await list.getByRole('link', { name: /A rather long message/ }).waitFor();
    await picture(page, 'chat-list-drawer');
    // A window that the drawer has opened closes alone.
    await list.getByRole('button', { name: /^Delete/ }).click();
    const question = page.getByRole('dialog', { name: 'Delete this chat?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await list.isVisible()).toBe(true);
    await list.getByRole('link', { name: 'New chat' }).click();
    await list.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
    await expect.poll(() => standingOut(page)).toEqual([]);
  });
});
