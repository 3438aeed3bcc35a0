import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';

describe.skipIf(withoutChromium)('a new chat', { timeout: 90_000 }, () => {
  it('begins with a message and shows the finished answer', async () => {
    const { page, faults, provider } = await openInterface({ steps: ['It holds **two** files.'] });
    await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
    await picture(page, 'chat-new');
    await expectAccessible(page);
    await page.getByLabel('Message').fill('What is in this folder?');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chat\/ses_/);
    await page.getByText('two').first().waitFor();
    await page.getByRole('link', { name: 'What is in this folder?' }).waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('');
    expect(provider.requests).toHaveLength(1);
    await expectAccessible(page);
    await picture(page, 'chat-answered');
    expect(faults).toEqual([]);
  });

  it('is held in Chinese, too', async () => {
    const { page } = await openInterface({ context: { locale: 'zh-CN' }, steps: [{ calls: [{ name: 'Bash', input: { command: 'touch a.txt' } }] }, '好了。'] });
    await page.getByRole('heading', { name: '想做点什么？' }).waitFor();
    await page.getByLabel('消息').fill('新建一个文件');
    await page.getByRole('button', { name: '发送' }).click();
    const card = page.getByRole('region', { name: '运行命令' });
    await card.waitFor();
    await picture(page, 'chat-chinese');
    await card.getByRole('button', { name: '允许一次' }).click();
    await page.getByText('好了。').first().waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/Allow|Deny|To do|Active|Cost|Ask first|Untitled/);
  });
});
