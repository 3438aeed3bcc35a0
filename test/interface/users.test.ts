import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { makePlace, run } from '../e2e/program.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';

const PASSWORD = 'correct horse battery';

describe.skipIf(withoutChromium)('the login of a server with users', () => {
  it('asks for name and password, says of neither which was wrong, and comes again when the cookie has ended', async () => {
    const place = makePlace();
    expect((await run(place, ['users', 'add', 'ada'], { input: PASSWORD })).code).toBe(0);
    const { page, url, faults } = await openInterface({ place, stayOut: true, args: ['--users', '--workspaces', path.join(place.root, 'work')] });
    await page.goto(`${url()}/skills`);
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password').fill('wrong password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Name and password do not fit.').waitFor();
    await expectAccessible(page);
    await picture(page, 'login-users');
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
    expect(new URL(page.url()).pathname).toBe('/skills');
    expect((await run(place, ['users', 'password', 'ada'], { input: 'another long password' })).code).toBe(0);
    await page.reload();
    await page.getByLabel('User name').waitFor();
  });

  it('speaks Chinese where the browser does', async () => {
    const place = makePlace();
    expect((await run(place, ['users', 'add', 'ada'], { input: PASSWORD })).code).toBe(0);
    const { page, url } = await openInterface({ place, stayOut: true, args: ['--users', '--workspaces', path.join(place.root, 'work')], context: { locale: 'zh-CN' } });
    await page.goto(`${url()}/`);
    await page.getByLabel('用户名').fill('ada');
    await page.getByLabel('密码').fill(PASSWORD);
    await page.getByRole('button', { name: '登录' }).click();
    await page.getByRole('link', { name: '技能' }).waitFor();
  });
});
