import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { beginChat, messagesOf } from './begin-chat.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';

const ask = (input: unknown) => ({ calls: [{ name: 'AskUserQuestion', input }] });
const plan = (text: string) => ({ calls: [{ name: 'CallTool', input: { tool: 'ExitPlanMode', input: { plan: text } } }] });

describe.skipIf(withoutChromium)('a question', { timeout: 90_000 }, () => {
  it('is answered by a button, and by own words', async () => {
    const { page, provider } = await openInterface({ steps: [
      ask({ question: 'Which format?', options: [{ label: 'PDF', description: 'Looks the same everywhere' }, { label: 'HTML', description: 'Opens in any browser' }] }),
      ask({ question: 'And the title?' }),
      'Then it is settled.',
    ] });
    await beginChat(page, 'Write the report');
    const card = page.getByRole('region', { name: 'A question for you' });
    await card.getByRole('button', { name: 'HTML' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'chat-question');
    await card.getByRole('button', { name: 'HTML' }).click();
    await card.getByText('And the title?').waitFor();
    expect(messagesOf(provider.requests[1]).at(-1)?.text).toContain('HTML');
    await card.getByLabel('Your answer').fill('Numbers of May');
    await page.keyboard.press('Enter');
    await page.getByText('Then it is settled.').first().waitFor();
    expect(messagesOf(provider.requests[2]).at(-1)?.text).toContain('Numbers of May');
  });

  it('may be several at once, of several choices', async () => {
    const { page, provider } = await openInterface({ steps: [
      ask({ questions: [
        { question: 'Which parts?', header: 'Parts', multiSelect: true, options: [{ label: 'Tables' }, { label: 'Plots' }, { label: 'Prose' }] },
        { question: 'How long?', header: 'Length', options: [{ label: 'One page' }, { label: 'Ten pages' }] },
      ] }),
      'I begin.',
    ], context: { viewport: { width: 1280, height: 1_200 } } });
    await beginChat(page, 'Write the report');
    const card = page.getByRole('region', { name: 'A question for you' });
    await page.getByText('It waits for your answer.').waitFor();
    await card.getByLabel('Tables').check();
    await card.getByLabel('Prose').check();
    expect(await card.getByRole('button', { name: 'Answer' }).isDisabled()).toBe(true);
    await card.getByLabel('One page').check();
    await expectAccessible(page);
    await picture(page, 'chat-questions');
    await card.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('I begin.').first().waitFor();
    const { text } = messagesOf(provider.requests[1]).at(-1) ?? {};
    expect(text).toContain('Tables, Prose');
    expect(text).toContain('One page');
  });
});

describe.skipIf(withoutChromium)('a plan', { timeout: 90_000 }, () => {
  it('is sent back with a reason, and accepted so that edits pass', async () => {
    const { page, provider } = await openInterface({ settings: { permissions: { mode: 'plan' } }, steps: [plan('1. Delete everything'), plan('## Steps\n\n1. Look around\n2. Write `a.txt`'), 'I begin.'] });
    await beginChat(page, 'Tidy up');
    const card = page.getByRole('region', { name: 'The plan' });
    await card.getByRole('button', { name: 'Send it back' }).click();
    await page.keyboard.type('delete nothing');
    await page.keyboard.press('Enter');
    await card.getByText('Look around').waitFor();
    expect(await page.getByRole('region', { name: 'Conversation' }).innerText()).not.toContain('CallTool');
    expect(messagesOf(provider.requests[1]).at(-1)?.text).toContain('delete nothing');
    await expectAccessible(page);
    await picture(page, 'chat-plan');
    await card.getByRole('button', { name: 'Accept, and let edits pass' }).click();
    await page.getByText('I begin.').first().waitFor();
    expect(await page.getByRole('complementary', { name: 'About this chat' }).getByLabel('Permissions').inputValue()).toBe('acceptEdits');
  });
});
