import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { openInterface } from './open-interface.ts';

describe.skipIf(withoutChromium)('a whole conversation', { timeout: 90_000 }, () => {
  it('is held by the keyboard alone', async () => {
    const { page, place } = await openInterface({ steps: [
      { calls: [{ name: 'Bash', input: { command: 'touch keys.txt' } }] },
      { calls: [{ name: 'AskUserQuestion', input: { question: 'Red or blue?', options: [{ label: 'Red' }, { label: 'Blue' }] } }] },
      'Blue it is.', 'And a second answer.',
    ] });
    const { keyboard } = page;
    const focused = (): Promise<string> => page.evaluate(`(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`);
    await page.getByLabel('Message').waitFor();
    await expect.poll(focused).toBe('Message');
    await keyboard.type('Touch it');
    await keyboard.press('Enter');
    await page.getByRole('region', { name: 'Run a command' }).waitFor();
    await expect.poll(focused).toBe('Message');
    await keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Go to the question');
    await keyboard.press('Enter');
    await keyboard.press('y');
    await page.getByRole('region', { name: 'A question for you' }).waitFor();
    expect(fs.existsSync(path.join(place.project, 'keys.txt'))).toBe(true);
    await expect.poll(focused).toBe('Message');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    expect(await focused()).toBe('Red');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.getByText('Blue it is.').first().waitFor();
    await expect.poll(focused).toBe('Message');
    await keyboard.type('Go on');
    await keyboard.press('Enter');
    await page.getByText('And a second answer.').first().waitFor();
    // Back to the list: from its search one Tab leads to the chat that is open, the arrow keys go on from there.
    for (let i = 0; i < 40 && (await focused()) !== 'Search titles and folders'; i += 1) await keyboard.press('Shift+Tab');
    await keyboard.press('Tab');
    expect(await focused()).toContain('Touch it');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Shift+Tab');
    expect(await focused()).toBe('New chat');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
  });
});
