import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { makePlace } from '../e2e/program.ts';
import { beginChat, messagesOf } from './begin-chat.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });

describe.skipIf(withoutChromium)('a permission', { timeout: 90_000 }, () => {
  it('is given once, after the whole change was shown', async () => {
    const place = makePlace();
    const file = path.join(place.project, 'greeting.txt');
    fs.writeFileSync(file, 'Dear all,\nsee you on Monday.\nAda\n');
    const { page, faults } = await openInterface({ place, steps: [
      { calls: [{ name: 'Read', input: { file_path: file } }] },
      { text: 'I correct the day.', calls: [{ name: 'Edit', input: { file_path: file, old_string: 'see you on Monday.\nAda', new_string: 'see you on Tuesday.\nAda' } }] },
      'It says Tuesday now.',
    ] });
    await beginChat(page, 'The day is wrong');
    const card = page.getByRole('region', { name: 'Change a file' });
    await card.waitFor();
    expect(await page.getByRole('group', { name: /greeting\.txt/ }).innerText()).toMatch(/−\s+see you on Monday\.\s+\+\s+see you on Tuesday\./);
    await page.getByText('It waits for your answer.').waitFor();
    await page.getByRole('complementary', { name: 'Chats' }).getByText('waiting for you').waitFor();
    await expectAccessible(page);
    await picture(page, 'chat-permission');
    await card.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('It says Tuesday now.').first().waitFor();
    await card.waitFor({ state: 'detached' });
    expect(fs.readFileSync(file, 'utf8')).toContain('Tuesday');
    expect(faults).toEqual([]);
  });

  it('is given always: the rule was shown, is stored, and the same call is not asked again', async () => {
    const { page, place, provider } = await openInterface({ steps: [bash('touch late.txt'), bash('touch late.txt'), 'Touched twice.'] });
    await beginChat(page, 'Touch it');
    const card = page.getByRole('region', { name: 'Run a command' });
    await card.waitFor();
    expect(await card.getByRole('listitem').allInnerTexts()).toEqual(['Bash(touch late.txt)']);
    await card.getByRole('button', { name: 'Always allow' }).click();
    await page.getByText('Touched twice.').first().waitFor();
    expect(fs.existsSync(path.join(place.project, 'late.txt'))).toBe(true);
    provider.push(bash('touch late.txt'), 'And once more.');
    await page.getByRole('link', { name: 'New chat' }).click();
    await beginChat(page, 'Again, in another chat');
    await page.getByText('And once more.').first().waitFor();
    expect(provider.requests).toHaveLength(5);
  });

  it('is denied with a reason, which the model hears', async () => {
    const { page, place, provider } = await openInterface({ steps: [bash('rm -rf notes'), 'Then I leave them.'] });
    await beginChat(page, 'Clean up');
    const card = page.getByRole('region', { name: 'Run a command' });
    await card.getByRole('button', { name: 'Deny' }).click();
    await page.keyboard.type('keep the notes of May');
    await picture(page, 'chat-denial');
    await page.keyboard.press('Enter');
    await page.getByText('Then I leave them.').first().waitFor();
    expect(messagesOf(provider.requests[1]).at(-1)).toMatchObject({ role: 'tool', text: expect.stringContaining('keep the notes of May') });
    expect(fs.existsSync(path.join(place.project, 'notes'))).toBe(false);
  });

  it('shows what is invisible, so that nobody consents to another command', async () => {
    const { page } = await openInterface({ steps: [bash('touch safe # \u202e txt.oof mr')] });
    await beginChat(page, 'Do it');
    expect(await page.getByRole('group', { name: 'What it would do' }).innerText()).toContain(String.raw`touch safe # \u202e txt.oof mr`);
  });

  it('names the whole file that would be written, also where the reason does not', async () => {
    const place = makePlace();
    const file = path.join(place.project, `${'notes-'.repeat(30)}`, 'start.sh');
    const { page } = await openInterface({ place, settings: { permissions: { ask: ['Write'] } }, steps: [{ calls: [{ name: 'Write', input: { file_path: file, content: 'echo hello\n' } }] }] });
    await beginChat(page, 'Write it');
    const card = page.getByRole('region').filter({ has: page.getByRole('button', { name: 'Allow once' }) }).last();
    await card.getByText('wants a question').waitFor();
    expect(await card.innerText()).toContain(file);
  });

  it('may be asked for several times at once, also for a sub-agent, whose chat is a press away', async () => {
    const { page, place, provider } = await openInterface({ steps: [
      { calls: [{ name: 'Bash', input: { command: 'touch one.txt' } }, { name: 'Bash', input: { command: 'touch two.txt' } }, { name: 'Task', input: { description: 'tidy', prompt: 'Tidy the folder.' } }] },
      bash('touch three.txt'),
    ] });
    await beginChat(page, 'Touch them');
    const cards = page.getByRole('region', { name: 'Run a command' });
    await page.getByText('It waits for 2 answers.').or(page.getByText('It waits for 3 answers.')).waitFor();
    await cards.filter({ hasText: 'touch two.txt' }).getByRole('button', { name: 'Allow once' }).click();
    await cards.filter({ hasText: 'touch two.txt' }).waitFor({ state: 'detached' });
    await cards.filter({ hasText: 'touch one.txt' }).getByRole('button', { name: 'Allow once' }).click();
    const asked = cards.filter({ hasText: 'touch three.txt' });
    await asked.getByText('Asked by the sub-agent general-purpose').waitFor();
    await picture(page, 'chat-sub-agent-asks');
    const here = page.url();
    await asked.getByRole('link', { name: 'Open its chat' }).press('Enter');
    await page.getByText('Started by another chat').waitFor();
    await page.goto(here);
    provider.push('Tidied.', 'All are touched.');
    await asked.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('All are touched.').first().waitFor();
    expect(['one', 'two', 'three'].filter((name) => !fs.existsSync(path.join(place.project, `${name}.txt`)))).toEqual([]);
  });

  it('stays where it is under the pointer when others are asked for, so that no press goes astray', async () => {
    let ask = (): void => undefined;
    const asked = new Promise<void>((resolve) => { ask = resolve; });
    const { page } = await openInterface({ steps: [
      { calls: [{ name: 'Bash', input: { command: 'touch one.txt' } }, { name: 'Task', input: { description: 'tidy', prompt: 'Tidy the folder.' } }] },
      async () => {
        await asked;
        return bash(`touch two.txt # ${'long '.repeat(200)}`);
      },
    ] });
    await page.setViewportSize({ width: 1000, height: 420 });
    await beginChat(page, 'Touch them');
    const allow = page.getByRole('region', { name: 'Run a command' }).filter({ hasText: 'touch one.txt' }).getByRole('button', { name: 'Allow once' });
    await allow.hover();
    const before = await allow.boundingBox();
    ask();
    await page.getByText('It waits for 2 answers.').waitFor();
    expect(await allow.boundingBox()).toEqual(before);
    await page.mouse.move(5, 5);
    await allow.click();
    await allow.waitFor({ state: 'detached' });
  });

  it('is answered in a window where its card is scrolled away; the next one does not open by itself under what is typed', async () => {
    const { page, place } = await openInterface({ steps: [
      { text: Array.from({ length: 300 }, (_, line) => `Paragraph ${line}.`).join('\n\n'), calls: [{ name: 'Bash', input: { command: 'touch one.txt' } }] },
      bash('touch two.txt'),
    ] });
    await beginChat(page, 'Touch them');
    const cards = page.getByRole('region', { name: 'Run a command' });
    await cards.waitFor();
    await page.getByRole('region', { name: 'Conversation' }).focus();
    await page.keyboard.press('Home');
    await cards.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Go to the question' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Allow once' }).click();
    await expect.poll(() => fs.existsSync(path.join(place.project, 'one.txt')), { timeout: 10_000 }).toBe(true);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('It waits for your answer.').waitFor();
    await page.locator('[data-message]:focus').waitFor();
    await page.keyboard.type('yes');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByLabel('Message').inputValue()).toBe('yes');
    expect(fs.existsSync(path.join(place.project, 'two.txt'))).toBe(false);
  });

  it('is answered in two tabs: the first counts, and the other is told so', async () => {
    const { page, context, provider } = await openInterface({ steps: [bash('touch one.txt'), 'Done once.'] });
    await beginChat(page, 'Touch it');
    const other = await context.newPage();
    await other.goto(page.url());
    const late = other.getByRole('region', { name: 'Run a command' });
    await late.waitFor();
    await other.route('**/answers', async (route) => {
      await page.getByRole('region', { name: 'Run a command' }).getByRole('button', { name: 'Allow once' }).click();
      await page.getByText('Done once.').first().waitFor();
      await route.continue();
    });
    await late.getByRole('button', { name: 'Deny' }).click();
    await other.keyboard.press('Enter');
    await other.getByText('somebody had answered before').waitFor();
    await other.getByText('Done once.').first().waitFor();
    await late.waitFor({ state: 'detached' });
    await picture(other, 'chat-answered-elsewhere');
    expect(messagesOf(provider.requests[1]).at(-1)?.role).toBe('tool');
    await other.getByRole('button', { name: 'Understood' }).click();
    await other.getByText('somebody had answered before').waitFor({ state: 'detached' });
  });
});
