import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** Texts of Markdown without what stands in blocks of code. */
function textOf(file: string): string {
  return fs.readFileSync(file, 'utf8').replace(/^```[^]*?^```/gm, '');
}

/** The anchors that headings get. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(headings.map((heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')));
}

/** Links of a file that lead nowhere within the repository. */
function brokenIn(file: string): readonly string[] {
  const links = [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
  return links.filter((link) => {
    const [at = '', anchor] = link.split('#');
    const target = at === '' ? file : path.join(path.dirname(file), at);
    if (!fs.existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
  });
}

it('links of the documents lead somewhere', () => {
  const inFolders = ['docs', 'deploy'].flatMap((folder) => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)));
  const files = [...fs.readdirSync('.'), ...inFolders].filter((name) => name.endsWith('.md'));
  expect(files).toContain('README.md');
  expect(files.flatMap((file) => brokenIn(file).map((link) => `${file}: ${link}`))).toEqual([]);
});
