import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { expectAccessible, openInterface, picture } from './open-interface.ts';
import { said, showNewSession } from './session-on-page.ts';

const LONG = Array.from({ length: 300 }, (_, index) => `Sentence number ${index} of a long answer.${index % 5 === 4 ? '\n\n' : ' '}`).join('');
const BOX = "document.querySelector('[role=region]')";
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** So slow that one can look on. */
const SLOWLY = { chunkBytes: 2_000, pauseMs: 25 } as const;

const MARKDOWN = `## What I found

The folder holds **two** parts; see [the guide](https://example.org/guide) and \`src/main.ts\`.

1. First, the sources
2. Then the tests
   - of units
   - of the whole

\`\`\`ts
export function greet(name: string): string {
  return \`Hello, \${name}! This line is much longer than what fits on the screen of a phone, so that it has to scroll.\`;
}
\`\`\`

| File | Lines | Note |
| --- | ---: | --- |
| main.ts | 12 | begins everything |
| rest.ts | 340 | does the rest |

- [x] read
- [ ] changed

> A word of somebody else.`;

/** A figure once it stays the same for a while. */
async function settled(read: () => Promise<number>): Promise<number> {
  const seen: number[] = [];
  await expect.poll(async () => {
    seen.push(await read());
    return seen.length > 3 && new Set(seen.slice(-3)).size === 1;
  }, { interval: 100 }).toBe(true);
  return seen.at(-1) ?? 0;
}

describe.skipIf(withoutChromium)('the transcript', { timeout: 60_000 }, () => {
  it('shows an answer while it grows, and a reload in the middle loses and repeats nothing', async () => {
    const opened = await openInterface({ steps: [{ text: 'I look first.', calls: [{ name: 'Bash', input: { command: 'echo looked' } }] }, { text: LONG, ...SLOWLY, pauseMs: 60 }] });
    const { page, faults } = opened;
    const session = await showNewSession(opened);
    await session.say('Tell me *everything*.');
    const lengths: number[] = [];
    const isRunning = async (): Promise<boolean> => (await session.ask('GET', ''))['status'] === 'running';
    await page.getByText(/Sentence number \d+/).first().waitFor();
    while (lengths.length < 3 && (await isRunning())) {
      const length = Number(await page.evaluate(`${BOX}.scrollHeight`));
      if (length !== lengths.at(-1)) lengths.push(length);
    }
    expect(lengths).toHaveLength(3);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    await page.reload();
    await page.getByText(/Sentence number \d+/).first().waitFor();
    expect(await isRunning()).toBe(true);
    await page.locator('[data-kind="text"]').getByText('Sentence number 299').waitFor({ timeout: 25_000 });
    await expect.poll(isRunning).toBe(false);
    const { items, texts } = await session.showsTheLog();
    expect(items.map(({ kind }) => kind)).toEqual(['note', 'person', 'text', 'call', 'text', 'note']);
    expect(texts).toEqual(['Ilookfirst.', LONG.replaceAll(/\s+/g, '')]);
    expect(faults).toEqual([]);
  });

  it('shows markdown, thoughts, a call with its output as it comes, changes of files, todos', async () => {
    const wait = 'for i in 1 2 3; do echo "line $i"; sleep 0.7; done; echo "$((6 * 7)) is the end"';
    const opened = await openInterface({ steps: [
      { reasoning: 'The person wants to know. I look around.', text: MARKDOWN, calls: [{ name: 'Bash', input: { command: wait } }, { name: 'TodoWrite', input: { todos: [{ content: 'Look around', status: 'completed' }, { content: 'Change the file', status: 'in_progress' }, { content: 'Test it', status: 'pending' }] } }] },
      { calls: [{ name: 'Read', input: { file_path: 'a.txt' } }, { name: 'Read', input: { file_path: 'dot.png' } }, { name: 'Read', input: { file_path: 'missing.txt' } }] },
      { calls: [{ name: 'Edit', input: { file_path: 'a.txt', old_string: 'three', new_string: 'THREE\nand a half' } }, { name: 'Write', input: { file_path: 'new.txt', content: 'fresh\n' } }] },
      'All is done.',
    ] });
    const { page, place, faults } = opened;
    fs.writeFileSync(path.join(place.project, 'a.txt'), Array.from({ length: 20 }, (_, index) => ['one', 'two', 'three'][index] ?? `line ${index}`).join('\n'));
    fs.writeFileSync(path.join(place.project, 'dot.png'), Buffer.from(PIXEL, 'base64'));
    const session = await showNewSession(opened);
    await session.say('Look at this picture.', { attachments: [{ media_type: 'image/png', data: PIXEL, name: 'dot.png' }, { media_type: 'application/pdf', data: PIXEL, name: 'paper.pdf' }] });
    await page.getByText('paper.pdf').waitFor();
    const bash = page.locator('[data-kind="call"]').filter({ hasText: 'Bash' });
    const output = bash.getByLabel('Output');
    await output.getByText('line 1').waitFor();
    expect(await output.innerText()).not.toContain('42 is the end');
    await picture(page, 'transcript-running');
    await said(page, 'All is done.').waitFor();
    const summary = bash.locator('summary');
    await summary.focus();
    await page.keyboard.press('Enter');
    await output.getByText('42 is the end').waitFor();
    await expect.poll(() => bash.locator('summary').innerText()).toMatch(/Bash.*\d\.\d s/s);
    const edit = page.getByRole('group', { name: /^Changes of .*a\.txt$/ });
    expect((await edit.locator('tr').allInnerTexts()).map((row) => row.replaceAll('\t', '|'))).toEqual(['1|1||one', '2|2||two', '3||−|three', '|3|+|THREE', '|4|+|and a half', '4|5||line 3', '5|6||line 4', '6|7||line 5']);
    await page.getByRole('group', { name: /^Changes of .*new\.txt$/ }).getByText('fresh').waitFor();
    await page.locator('[data-kind="call"] img[src^="data:image/png"]').waitFor();
    await page.getByText('Todos: 1 of 3 done').click();
    await page.getByRole('region', { name: 'Conversation' }).getByRole('listitem').getByText('Test it').waitFor();
    await page.getByText('Thoughts').click();
    await session.showsTheLog();
    expect(await page.getByRole('link', { name: 'the guide' }).getAttribute('rel')).toBe('noreferrer noopener');
    await expectAccessible(page);
    await page.evaluate(`${BOX}.scrollTo(0, ${BOX}.scrollHeight)`);
    await said(page, 'All is done.').waitFor();
    await picture(page, 'transcript-end');
    // The page is laid out anew after the picture, and is at its end until that is done.
    await expect.poll(async () => {
      await page.evaluate(`${BOX}.scrollTo(0, 0)`);
      return page.locator('[data-kind="person"] img[src^="data:image/png"]').count();
    }).toBe(1);
    await picture(page, 'transcript-start');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(faults).toEqual([]);
  });

  it('shows a sub-agent folded with what it does, and leads to its session', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const opened = await openInterface({ steps: [
      { calls: [{ name: 'Task', input: { prompt: 'Find every TODO in the sources.', description: 'Find TODOs' } }] },
      { calls: [{ name: 'Glob', input: { pattern: '*.txt' } }] },
      async () => { await held; return 'There are **none**.'; },
      'The agent found none.',
    ] });
    const { page } = opened;
    const session = await showNewSession(opened);
    await session.say('Are there TODOs?');
    const card = page.locator('[data-kind="call"]').filter({ hasText: 'Find TODOs' });
    await card.getByRole('listitem').filter({ hasText: 'Glob' }).getByText('*.txt').waitFor();
    await card.getByText('running').waitFor();
    await picture(page, 'transcript-agent-running');
    await page.reload();
    await card.getByRole('listitem').filter({ hasText: 'Glob' }).getByLabel('done').waitFor();
    release();
    await said(page, 'The agent found none.').waitFor();
    await card.locator('summary').click();
    await card.getByText('Find every TODO in the sources.', { exact: true }).waitFor();
    await card.getByText('There are none.').waitFor();
    await expectAccessible(page);
    await picture(page, 'transcript-agent');
    await session.showsTheLog();
    await card.getByRole('link', { name: 'Open its session' }).click();
    await page.locator('[data-kind="person"]').getByText('Find every TODO in the sources.').waitFor();
    expect(new URL(page.url()).pathname).not.toContain(session.id);
  });

  it('goes on by itself after the server was killed in the middle of a turn, and shows each thing once', async () => {
    const opened = await openInterface({ steps: [{ text: 'I begin.', calls: [{ name: 'Bash', input: { command: 'echo once; sleep 600' } }] }, 'I went on.'] });
    const { page, killAndRestart } = opened;
    const session = await showNewSession(opened);
    await session.say('go');
    await page.getByLabel('Output').getByText('once').waitFor();
    await killAndRestart();
    await said(page, 'I went on.').waitFor({ timeout: 25_000 });
    const { items } = await session.showsTheLog();
    expect(items.map(({ kind }) => kind)).toEqual(['note', 'person', 'text', 'call', 'note', 'text', 'note']);
    expect(await page.getByText('The connection is broken').count()).toBe(0);
    await picture(page, 'transcript-killed');
  });

  it('says in a sentence that a model died, and drops what it had begun to say', async () => {
    const opened = await openInterface({ steps: [{ text: LONG, fault: { kind: 'cut', afterBytes: 30_000 } }, { status: 400, body: { error: { message: 'this model is gone' } } }] });
    const { page } = opened;
    const session = await showNewSession(opened);
    await session.say('go');
    await page.locator('[data-kind="note"]').getByText('this model is gone').waitFor();
    await page.getByText('The model is asked again').waitFor();
    expect(await page.getByText('Sentence number').count()).toBe(0);
    const { items } = await session.showsTheLog();
    expect(items.map(({ kind }) => kind)).toEqual(['note', 'person', 'note', 'note']);
    await expectAccessible(page);
    await picture(page, 'transcript-failed');
  });

  it('loads nothing that a model names, and runs nothing that it says', async () => {
    const hostile = [
      '<script>globalThis.wasRun = true</script><img src="http://203.0.113.5/a.png" onerror="globalThis.wasRun = true">',
      '![a picture](http://203.0.113.5/b.png) [press me](javascript:globalThis.wasRun=true) [data](data:text/html,x) [inside](/api/logout) [out](https://203.0.113.5/c)',
      '<style>body { display: none }</style> <iframe src="http://203.0.113.5/d"></iframe>',
      '| a |\n| --- |\n| ![in a table](//203.0.113.5/e.png) |',
    ].join('\n\n');
    const opened = await openInterface({ steps: [{ text: hostile, reasoning: hostile, calls: [{ name: 'Bash', input: { command: `echo '<img src=x onerror=alert(1)>' # ${hostile.slice(0, 60)}` } }] }, 'That was it.'] });
    const { page, url, faults } = opened;
    const outside: string[] = [];
    page.on('request', (request) => !request.url().startsWith(url()) && !request.url().startsWith('data:') && outside.push(request.url()));
    const session = await showNewSession(opened);
    await session.say('go');
    await said(page, 'That was it.').waitFor();
    await page.getByText('Thoughts').click();
    await page.locator('[data-kind="call"] summary').click();
    expect(await page.evaluate('globalThis.wasRun')).toBeUndefined();
    const answer = (await page.locator('[data-kind="text"]').allInnerTexts()).join('\n');
    expect(answer).toContain('<script>globalThis.wasRun = true</script>');
    expect(answer).toContain('<iframe src="http://203.0.113.5/d"></iframe>');
    expect(await page.locator('main').locator('img, iframe, script, style').count()).toBe(0);
    expect(await page.evaluate('[...document.querySelectorAll("[data-kind=text] a")].map((link) => link.getAttribute("href"))')).toEqual(['http://203.0.113.5/b.png', 'https://203.0.113.5/c']);
    await picture(page, 'transcript-hostile');
    expect(outside).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('speaks Chinese', async () => {
    const opened = await openInterface({ context: { locale: 'zh-CN' }, steps: [{ calls: [{ name: 'Read', input: { file_path: 'missing.txt' } }, { name: 'TodoWrite', input: { todos: [{ content: '查看文件', status: 'in_progress' }] } }] }, '文件不存在。'] });
    const { page } = opened;
    const session = await showNewSession(opened);
    await session.say('文件里有什么？');
    await said(page, '文件不存在。').waitFor();
    const call = page.locator('[data-kind="call"]').filter({ hasText: 'Read' });
    await call.getByText('失败', { exact: true }).waitFor();
    await page.getByText('待办：已完成 0/1').click();
    await call.locator('summary').click();
    await call.getByText('参数', { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'transcript-chinese');
    expect((await session.showsTheLog()).texts).toEqual(['文件不存在。']);
  });

  it('says in the words of the server that a session is not there, or was removed while it was shown', async () => {
    const opened = await openInterface({ steps: ['Hello.'] });
    const { page, url } = opened;
    const session = await showNewSession(opened);
    await session.say('go');
    await said(page, 'Hello.').waitFor();
    await session.ask('DELETE', '');
    await page.getByRole('alert').getByText(session.id).waitFor();
    await page.goto(`${url()}/chat/ses_none`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('ses_none');
  });

  it('stays where the person reads, and goes to the end again when told to', async () => {
    const steps: FakeStep[] = [LONG, { text: LONG, ...SLOWLY, pauseMs: 60 }];
    const opened = await openInterface({ steps });
    const { page } = opened;
    const session = await showNewSession(opened);
    await session.say('first');
    await said(page, 'Sentence number 299').waitFor();
    const box = page.getByRole('region', { name: 'Conversation' });
    const top = async (): Promise<number> => Number(await page.evaluate(`Math.round(${BOX}.scrollTop)`));
    const toEnd = async (): Promise<number> => Number(await page.evaluate(`Math.round(${BOX}.scrollHeight - ${BOX}.clientHeight - ${BOX}.scrollTop)`));
    await expect.poll(toEnd).toBeLessThan(5);
    const height = async (): Promise<number> => Number(await page.evaluate(`${BOX}.scrollHeight`));
    const first = await height();
    await session.say('second');
    await expect.poll(height, { timeout: 10_000 }).toBeGreaterThan(first + 600);
    await box.hover();
    await page.mouse.wheel(0, -500);
    const button = page.getByRole('button', { name: 'To the end' });
    await button.waitFor();
    const before = await settled(top);
    const read = await height();
    await expect.poll(height, { timeout: 10_000 }).toBeGreaterThan(read + 200);
    expect(Math.abs((await top()) - before)).toBeLessThan(3);
    await button.click();
    await expect.poll(toEnd).toBeLessThan(50);
    await said(page, 'Sentence number 299').last().waitFor({ timeout: 40_000 });
    await expect.poll(toEnd).toBeLessThan(5);
    expect(await button.count()).toBe(0);
  });
});
