import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { makePlace, writeSkill } from '../e2e/program.ts';
import { openInterface, picture } from './open-interface.ts';
import { ownSkills, rowOf, toSkills } from './skills-journey.ts';

const MARKUP = '<img src="https://evil.example/x.png" onerror="document.title=1"><script>document.title=2</script>';

describe.skipIf(withoutChromium)('skills of strangers', { timeout: 90_000 }, () => {
  it('are shown as the text that they are, and load nothing', async () => {
    const place = makePlace();
    const skills = path.join(place.project, '.claude', 'skills');
    writeSkill(skills, {
      name: 'plain', description: `${MARKUP} ![picture](https://evil.example/y.png)`, frontmatter: `license: ${JSON.stringify(MARKUP)}\nallowed-tools: ${JSON.stringify(`Bash(${MARKUP})`)}\nmetadata:\n  "${'<b>x</b>'}": y\n`,
      body: `${MARKUP}\n\n![picture](https://evil.example/z.png) [link](javascript:alert(1))\n\nturned \u202eround\n`,
      files: { 'page.html': `<html>${MARKUP}</html>`, 'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg"><image href="https://evil.example/s.png"/></svg>`, 'scripts/<b>.sh': `#!/bin/sh\necho '${MARKUP}'\n` },
    });
    fs.writeFileSync(path.join(skills, 'plain', 'data.bin'), Buffer.from([0, 1, 2, 255]));
    fs.writeFileSync(path.join(skills, 'plain', 'large.txt'), `${'a long line of a log\n'.repeat(40_000)}the end`);
    const { page, url, faults } = await openInterface({ place });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await toSkills(page);
    const title = await page.title();
    await rowOf(page, 'plain').getByText('<img src="https://evil.example/x.png"').waitFor();
    await rowOf(page, 'plain').getByRole('link').click();
    await page.getByText('turned \\u202eround').waitFor();
    const dialog = page.getByRole('dialog');
    for (const [file, shown] of [['page.html', '<html><img src='], ['picture.svg', '<image href="https://evil.example/s.png"/>'], ['scripts/<b>.sh', 'echo \'<img src='], ['data.bin', 'This file is no text.'], ['large.txt', 'Only the first 256 KiB are shown']] as const) {
      await page.getByRole('button', { name: file, exact: true }).click();
      await dialog.getByText(shown).waitFor();
      if (file === 'large.txt') expect((await dialog.locator('pre').textContent())?.length).toBe(262_144);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Trust…' }).click();
    await dialog.getByText(`Bash(${MARKUP})`).waitFor();
    await dialog.getByText('scripts/<b>.sh — ').waitFor();
    await picture(page, 'skill-foreign');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'page.html' }).click();
    const [saved] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: 'Download' }).click()]);
    expect(fs.readFileSync(await saved.path(), 'utf8')).toBe(`<html>${MARKUP}</html>`);
    expect(await page.title()).toBe(title);
    expect(await page.evaluate('document.querySelectorAll("main img, main script, main svg, dialog img, dialog script, main b").length')).toBe(0);
    expect(asked.filter((address) => !address.startsWith(url()))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('with odd ids are led to by their addresses', async () => {
    const place = makePlace();
    writeSkill(path.join(place.project, '.claude', 'skills'), { name: 'odd', files: { 'SKILL.md': '---\nname: "50% / größer: 数?"\ndescription: Odd.\n---\n\nodd one\n' } });
    writeSkill(ownSkills(place), { name: 'even' });
    const { page } = await openInterface({ place });
    await toSkills(page);
    await page.getByRole('listitem').filter({ hasText: 'Odd.' }).getByRole('link').click();
    await page.getByText('odd one').waitFor();
    await page.reload();
    await page.getByText('odd one').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe.skipIf(withoutChromium)('a thousand skills', { timeout: 90_000 }, () => {
  it('are listed and scrolled through without a stall', async () => {
    const place = makePlace();
    for (let made = 0; made < 1_000; made++) writeSkill(ownSkills(place), { name: `skill-${made}`, description: made === 777 ? 'Prunes the apple trees of the orchard.' : `Does the work number ${made}. ${'Use it when there is such work. '.repeat(made % 7)}` });
    const { page } = await openInterface({ place });
    await page.evaluate('globalThis.stalls = []; new PerformanceObserver((list) => globalThis.stalls.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: "longtask" })');
    const from = performance.now();
    await toSkills(page);
    await page.getByRole('listitem').first().waitFor();
    const first = performance.now() - from;
    await page.getByText('1004', { exact: true }).waitFor();
    const rows = 'document.querySelectorAll("main li").length';
    const shown = await page.evaluate<number>(rows);
    await page.evaluate('new Promise((done) => { const box = document.querySelector("main ul").parentElement; let top = 0; const go = () => { top += 1500; box.scrollTop = top; globalThis.most = Math.max(globalThis.most ?? 0, document.querySelectorAll("main li").length); if (top < box.scrollHeight) requestAnimationFrame(go); else setTimeout(done, 200); }; go(); })');
    await page.getByRole('listitem').filter({ hasText: 'orders-report' }).waitFor();
    await page.getByRole('searchbox').fill('prune my apple trees');
    await rowOf(page, 'skill-777').getByText(/^Score/).waitFor();
    const stalls = await page.evaluate<readonly number[]>('globalThis.stalls');
    process.stdout.write(`1,000 skills: first row after ${Math.round(first)} ms, ${shown} rows in the page, long tasks (ms): ${stalls.join(', ') || 'none'}\n`);
    expect(shown).toBeLessThan(60);
    expect(await page.evaluate<number>('globalThis.most')).toBeLessThan(60);
    // What else runs on the machine counts, too; the number of rows above does not depend on it.
    expect(Math.max(0, ...stalls)).toBeLessThan(1_500);
  });
});
