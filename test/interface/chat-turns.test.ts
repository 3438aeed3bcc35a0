import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { makePlace, start } from '../e2e/program.ts';
import { beginChat, gate, standingOut, messagesOf, sendMessage } from './begin-chat.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';

const HANG = { text: 'I think about it for', fault: { kind: 'hang', afterBytes: 200 } } as const;

describe.skipIf(withoutChromium)('a turn that runs', { timeout: 90_000 }, () => {
  it('is stopped at once by the button, and by Escape', async () => {
    const { page, provider } = await openInterface({ steps: [HANG, HANG, 'Here again.'] });
    await beginChat(page, 'Think');
    const stop = page.getByRole('button', { name: 'Stop' });
    await stop.waitFor();
    await expect.poll(() => provider.requests.length).toBe(1);
    await picture(page, 'chat-running');
    await stop.click();
    await stop.waitFor({ state: 'detached' });
    await sendMessage(page, 'Think again');
    await stop.waitFor();
    await expect.poll(() => provider.requests.length).toBe(2);
    // Escape in another field is about that field.
    await page.getByLabel('Search titles and folders').press('Escape');
    expect(await stop.isVisible()).toBe(true);
    await page.getByLabel('Message').press('Escape');
    await stop.waitFor({ state: 'detached' });
    await sendMessage(page, 'And now?');
    await page.getByText('Here again.').first().waitFor();
  });

  it('takes a message in at its next step', async () => {
    const { opened, open } = gate();
    const { page, provider } = await openInterface({ settings: { permissions: { mode: 'unrestricted' } }, steps: [
      async () => {
        await opened;
        return { text: 'I look.', calls: [{ name: 'Glob', input: { pattern: '*' } }] };
      },
      'Both are answered.',
    ] });
    await beginChat(page, 'First wish');
    await page.getByText('A message is taken in at its next step').waitFor();
    await sendMessage(page, 'Second wish');
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('');
    open();
    await page.getByText('Both are answered.').first().waitFor();
    expect(messagesOf(provider.requests[1]).filter(({ role }) => role === 'user').map(({ text }) => text).join()).toContain('Second wish');
    expect(provider.requests).toHaveLength(2);
  });

  it('says why it has failed, and goes on with the next message', async () => {
    const { page, provider } = await openInterface({ steps: [{ status: 401, body: { error: { message: 'this key is wrong' } } }] });
    await beginChat(page, 'Hello');
    await page.getByRole('region', { name: 'Conversation' }).getByText('this key is wrong').waitFor();
    await picture(page, 'chat-failed');
    provider.push('Hello!');
    await sendMessage(page, 'And now?');
    await page.getByText('Hello!').first().waitFor();
    expect(provider.requests).toHaveLength(2);
  });

  it('is followed on when a proxy before the server had no answer for a while', async () => {
    const { page, served, provider } = await openInterface({ steps: ['First answer.'] });
    const id = await beginChat(page, 'Hello');
    await page.getByText('First answer.').first().waitFor();
    let left = 3;
    for (const at of [`**/api/sessions/${id}`, `**/api/sessions/${id}/events`]) await page.route(at, (route) => (left-- > 0 ? route.fulfill({ status: 502, body: '<html>' }) : route.continue()));
    await page.reload();
    await expect.poll(() => left).toBeLessThan(0);
    provider.push('Second answer.');
    await served().ask('POST', `/api/sessions/${id}/messages`, { body: { text: 'And now?' } });
    await page.getByText('Second answer.').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('that another program has left is gone on with', async () => {
    const place = makePlace();
    const { page, provider, served } = await openInterface({ place, steps: [HANG] });
    const { child, ended } = start(place, ['run', 'Count to three', '--model', 'fake/m', '--output', 'stream-json']);
    await expect.poll(() => provider.requests.length, { timeout: 15_000 }).toBe(1);
    child.kill('SIGKILL');
    await ended;
    const { json } = await served().ask('GET', '/api/sessions');
    expect(json).toMatchObject({ sessions: [{ status: 'interrupted', title: 'Count to three' }] });
    await page.getByRole('link', { name: 'Count to three' }).click();
    await page.getByText('The program ended in the middle of this turn.').waitFor();
    await picture(page, 'chat-cut-off');
    provider.push('One, two, three.');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('One, two, three.').first().waitFor();
    await page.getByText('The program ended in the middle of this turn.').waitFor({ state: 'detached' });
  });
});

describe.skipIf(withoutChromium)('what cannot be opened', { timeout: 90_000 }, () => {
  it('is said in a sentence: a chat that is not there, a folder that is not allowed', async () => {
    const { page, url } = await openInterface({ steps: [] });
    await page.goto(`${url()}/chat/ses_nothing`);
    await page.getByText('There is no session ses_nothing').waitFor();
    await page.getByRole('link', { name: 'Begin a new chat' }).click();
    await page.getByLabel('Folder inside').fill('/etc');
    await page.getByLabel('Message').fill('Look');
    await page.getByText(/The folder "\/etc" is not one that may be worked in/).first().waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => page.getByText(/The folder "\/etc" is not one that may be worked in/).count()).toBe(2);
    expect(await page.getByLabel('Message').inputValue()).toBe('Look');
    expect(new URL(page.url()).pathname).toBe('/');
    await expectAccessible(page);
    await picture(page, 'chat-wrong-folder');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => standingOut(page)).toEqual([]);
  });
});
