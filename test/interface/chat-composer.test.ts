import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { makePlace, stored, writeSkill } from '../e2e/program.ts';
import { beginChat, messagesOf, sendMessage } from './begin-chat.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

describe.skipIf(withoutChromium)('a message', { timeout: 90_000 }, () => {
  it('completes the names of skills by keys alone, and the skill can be unloaded', async () => {
    const place = makePlace();
    for (const name of ['weekly-report', 'weekly-plan', 'poem']) writeSkill(path.join(place.data, 'skills'), { name, description: `Writes a ${name}.` });
    const { page, provider } = await openInterface({ place, steps: ['A plan.', 'Without it.'] });
    const field = page.getByLabel('Message');
    await field.focus();
    await page.keyboard.type('/week');
    const menu = page.getByRole('listbox', { name: 'Skills' });
    await menu.waitFor();
    expect((await menu.getByRole('option').allInnerTexts()).map((text) => text.split(' ')[0])).toEqual(['/weekly-plan', '/weekly-report']);
    await page.keyboard.press('ArrowDown');
    expect(await menu.getByRole('option', { selected: true }).innerText()).toContain('/weekly-report');
    await expectAccessible(page);
    await picture(page, 'chat-slash');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    expect(await field.inputValue()).toBe('/weekly-plan ');
    await menu.waitFor({ state: 'detached' });
    await page.keyboard.type('for May');
    await page.keyboard.press('Enter');
    const about = page.getByRole('complementary', { name: 'About this chat' });
    await about.getByText('called by you').waitFor();
    await page.getByText('A plan.').first().waitFor();
    await about.getByRole('button', { name: /Unload .*weekly-plan/ }).click();
    await about.getByText('None is loaded.').waitFor();
    await sendMessage(page, 'And now?');
    await page.getByText('Without it.').first().waitFor();
    expect(messagesOf(provider.requests[1]).map(({ text }) => text).join()).toContain('was unloaded');
  });

  it('brings pictures to the model: by button and by paste; other files are refused', async () => {
    const place = makePlace();
    const file = path.join(place.root, 'red.png');
    fs.writeFileSync(file, Buffer.from(PNG, 'base64'));
    fs.writeFileSync(path.join(place.root, 'a.zip'), 'PK');
    const { page, provider } = await openInterface({ place, steps: ['It is red.'] });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add pictures or PDF files' }).click();
    await (await chooser).setFiles(file);
    await page.getByRole('button', { name: 'Remove red.png' }).waitFor();
    await page.locator('input[type=file]').setInputFiles(path.join(place.root, 'a.zip'));
    await page.getByText('a.zip is neither a picture').waitFor();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob('${PNG}'), (c) => c.charCodeAt(0))], 'pasted.png', { type: 'image/png' }));
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    })()`);
    await page.getByRole('button', { name: 'Remove pasted.png' }).waitFor();
    await page.getByText('a.zip is neither a picture').waitFor({ state: 'detached' });
    await picture(page, 'chat-attachments');
    await beginChat(page, 'Which colour?');
    await page.getByText('It is red.').first().waitFor();
    expect(provider.requests[0]?.text.split(PNG)).toHaveLength(3);
  });

  it('does not go without a picture that is still being read', async () => {
    const { page, provider } = await openInterface({ steps: ['It is red.'] });
    await page.evaluate(`(() => {
      const read = FileReader.prototype.readAsDataURL;
      const go = new Promise((resolve) => { globalThis.goOn = resolve; });
      FileReader.prototype.readAsDataURL = function (file) { go.then(() => read.call(this, file)); };
    })()`);
    await page.locator('input[type=file]').setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
    await page.getByLabel('Message').fill('Which colour?');
    await page.getByLabel('Message').press('Enter');
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    await page.evaluate('globalThis.goOn()');
    await page.getByRole('button', { name: 'Remove red.png' }).waitFor();
    await beginChat(page, 'Which colour?');
    await page.getByText('It is red.').first().waitFor();
    expect(provider.requests[0]?.text).toContain(PNG);
  });

  it('is kept in the browser until it is sent, and when it could not be sent', async () => {
    const { page, place } = await openInterface({ steps: ['Hello.', 'Once.'] });
    const id = await beginChat(page, 'Hi');
    await page.getByText('Hello.').first().waitFor();
    const field = page.getByLabel('Message');
    await field.fill('one line');
    await field.press('Shift+Enter');
    await field.pressSequentially('and another');
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe('one line\nand another');
    // The message arrives, and its answer gets lost on the way.
    await page.route('**/messages', async (route) => {
      await route.fetch();
      await route.fulfill({ status: 502, json: { error: 'The proxy could not wait any longer.', code: 'timeout' } });
    }, { times: 1 });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The proxy could not wait any longer.').waitFor();
    expect(await field.inputValue()).toBe('one line\nand another');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('');
    await page.getByText('Once.').first().waitFor();
    const sent = (await stored(place, id)).filter(({ type }) => type === 'turn.started' || type === 'message.added');
    expect(sent).toHaveLength(2);
  });

  it('is not sent by the Enter of an input method', async () => {
    const { page, provider } = await openInterface({ steps: ['Hm.'] });
    const field = page.getByLabel('Message');
    await field.fill('ni hao');
    await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true });
    expect(await field.inputValue()).toBe('ni hao');
    expect(new URL(page.url()).pathname).toBe('/');
    expect(provider.requests).toHaveLength(0);
  });
});
