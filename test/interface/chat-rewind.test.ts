import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { beginChat, sendMessage } from './begin-chat.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';

const call = (name: string, input: object) => ({ calls: [{ name, input }] });

describe.skipIf(withoutChromium)('going back to before a message', { timeout: 90_000 }, () => {
  it('shows what would change, sets files back, and goes on in a copy with the message to be changed; in Chinese, too', async () => {
    const { page, place, faults } = await openInterface({ settings: { permissions: { mode: 'unrestricted' } }, steps: ['Hello.', call('Write', { file_path: 'made.txt', content: 'made' }), call('Bash', { command: 'touch by-command' }), 'Made it.', 'Another way.'] });
    const made = path.join(place.project, 'made.txt');
    const id = await beginChat(page, 'The first one');
    await page.getByText('Hello.').first().waitFor();
    await sendMessage(page, 'The second one');
    await page.getByText('Made it.').first().waitFor();
    const button = page.getByRole('article', { name: 'You' }).filter({ hasText: 'The second one' }).getByRole('button', { name: 'Rewind to here' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Go back to before this message?' });
    await dialog.getByText('touch by-command').waitFor();
    await dialog.getByText('made.txt').waitFor();
    await expectAccessible(page);
    await picture(page, 'chat-rewind');
    await dialog.getByRole('switch', { name: 'Set files back' }).click();
    await dialog.getByRole('switch', { name: 'Go on in a copy that ends before it' }).click();
    expect(await dialog.getByRole('button', { name: 'Go back' }).isDisabled()).toBe(true);
    await dialog.getByRole('switch', { name: 'Set files back' }).click();
    await dialog.getByRole('switch', { name: 'Go on in a copy that ends before it' }).click();
    expect(fs.existsSync(made)).toBe(true);
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/chat/') && !url.pathname.endsWith(id));
    expect(fs.existsSync(made)).toBe(false);
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('The second one');
    await page.getByText('Hello.').first().waitFor();
    expect(await page.getByText('Made it.').count()).toBe(0);
    await page.getByLabel('Message').press('Enter');
    await page.getByText('Another way.').first().waitFor();
    await page.evaluate("localStorage.setItem('skillmint.language', 'zh')");
    await page.reload();
    await page.getByRole('button', { name: '回到此处' }).first().waitFor();
    expect(faults).toEqual([]);
  });
});
