import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { expectAccessible, linkOf, openInterface, picture } from './open-interface.ts';

describe.skipIf(withoutChromium)('the login', () => {
  it('lets in whoever opens the printed link, and keeps the token out of the address', async () => {
    const { page, faults, context } = await openInterface();
    expect(new URL(page.url())).toMatchObject({ pathname: '/', hash: '' });
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    await page.reload();
    await page.getByRole('navigation').waitFor();
    expect(faults).toEqual([]);
  });

  it('refuses a wrong token in a sentence, and takes the right one by hand', async () => {
    const { page, served, url } = await openInterface({ stayOut: true });
    await page.goto(`${url()}/skills`);
    await page.getByLabel('Token').fill('not-the-token');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That is not the token of this server.').waitFor();
    await expectAccessible(page);
    await picture(page, 'login');
    await page.getByLabel('Token').fill(decodeURIComponent(new URL(linkOf(served())).hash.replace('#token=', '')));
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
    expect(new URL(page.url()).pathname).toBe('/skills');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Token').waitFor();
  });

  it('ends with what was being written, and only once the server has ended it', async () => {
    const { page, context } = await openInterface();
    await page.getByLabel('Message').fill('a secret plan');
    await page.getByLabel('Folder inside').fill('secret');
    await page.getByLabel('Message').focus();
    await page.route('**/api/logout', (route) => route.fulfill({ status: 502, body: '<html>' }), { times: 1 });
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('alert').getByText('The server answered with 502.').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('a secret plan');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('secret');
  });

  it('says nothing of a link that is broken, and takes the token by hand', async () => {
    const { page, url, faults } = await openInterface({ stayOut: true });
    await page.goto(`${url()}/login#token=%E0%A4%A`);
    await page.getByLabel('Token').waitFor();
    expect(faults).toEqual([]);
  });

  it('speaks Chinese where the browser does, and where it is chosen', async () => {
    const { page } = await openInterface({ context: { locale: 'zh-CN' } });
    await page.getByRole('link', { name: '技能' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('link', { name: 'Skills' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Skills' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  });
});
