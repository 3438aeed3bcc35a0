import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { makePlace, writeSkill } from '../e2e/program.ts';
import { beginChat, messagesOf } from './begin-chat.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';

const todos = [{ content: 'Read the figures', status: 'completed' }, { content: 'Draw the plot', status: 'in_progress' }, { content: 'Write the text', status: 'pending' }];

describe.skipIf(withoutChromium)('the panel', { timeout: 90_000 }, () => {
  it('shows todos, skills, context and cost, and changes model and mode of an idle chat', async () => {
    const place = makePlace();
    writeSkill(path.join(place.data, 'skills'), { name: 'report', description: 'Writes a report.' });
    const { page, provider } = await openInterface({ place, steps: [
      { calls: [{ name: 'TodoWrite', input: { todos } }, { name: 'Skill', input: { skill: 'report' } }], usage: { input: 42_000, output: 900 } },
      { text: 'Done so far.', usage: { input: 61_000, output: 1_200, cached: 40_000 } },
    ] });
    await beginChat(page, 'Write the report');
    await page.getByText('Done so far.').first().waitFor();
    const about = page.getByRole('complementary', { name: 'About this chat' });
    await about.getByText('Draw the plot').waitFor();
    await about.getByText('loaded by the model').waitFor();
    await about.getByText(/^102,200 of 200,000 tokens$/).waitFor();
    await expectAccessible(page);
    await picture(page, 'chat-panel');
    await about.getByLabel('Permissions').selectOption('acceptEdits');
    await about.getByText('Changes files in the folder without a question').waitFor();
    await page.reload();
    await expect.poll(() => about.getByLabel('Permissions').inputValue()).toBe('acceptEdits');
    await about.getByRole('button', { name: 'no sandbox' }).click();
    await page.getByRole('dialog', { name: 'Sandbox' }).getByText('What the server found').waitFor();
    await picture(page, 'chat-sandbox');
    await page.keyboard.press('Escape');
    const before = page.url();
    await about.getByRole('button', { name: 'Copy it into a new chat' }).click();
    await page.waitForURL((url) => url.href !== before);
    await page.getByText('Done so far.').first().waitFor();
    await about.getByRole('button', { name: 'Compact' }).click();
    await about.getByText('There is nothing to compact yet.').waitFor();
    expect(provider.requests).toHaveLength(2);
  });

  it('leads to a sub-agent in the background, whose question is answered from both chats', async () => {
    const { page, provider } = await openInterface({ steps: [
      { calls: [{ name: 'Task', input: { description: 'tidy', prompt: 'Tidy the folder.', run_in_background: true } }] },
      (request) => (messagesOf(request).some(({ text }) => text.includes('Tidy the folder.')) && !messagesOf(request).some(({ role }) => role === 'tool') ? { calls: [{ name: 'Bash', input: { command: 'touch tidy.txt' } }] } : 'It is under way.'),
      (request) => (messagesOf(request).some(({ role }) => role === 'tool') ? 'It is under way.' : { calls: [{ name: 'Bash', input: { command: 'touch tidy.txt' } }] }),
    ] });
    await beginChat(page, 'Have it tidied');
    await page.getByText('Asked by the sub-agent general-purpose').waitFor();
    const about = page.getByRole('complementary', { name: 'About this chat' });
    await about.getByText('waiting for you').waitFor();
    await picture(page, 'chat-agent-waits');
    await expectAccessible(page);
    const inList = await page.getByRole('complementary', { name: 'Chats' }).getByRole('listitem').count();
    expect(inList).toBe(1);
    await page.getByRole('link', { name: 'Open its chat' }).click();
    await about.getByText('Started by another chat').waitFor();
    provider.push('Tidied.', 'All is tidy.');
    await page.getByRole('region', { name: 'Run a command' }).getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('Tidied.').first().waitFor();
    await about.getByRole('link', { name: 'Open it' }).click();
    await about.getByText('done', { exact: true }).waitFor();
  });
});
