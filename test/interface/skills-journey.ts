import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { writeSkill, type Place } from '../e2e/program.ts';

/** Where a person's own skills lie. */
export const ownSkills = (place: Place): string => path.join(place.home, '.claude', 'skills');

/** Some skills of the person's, to be found. */
export function seedSkills(place: Place): void {
  writeSkill(ownSkills(place), { name: 'release-notes', description: 'Writes release notes out of the commits since the last tag. Use when a version is about to be published.' });
  writeSkill(ownSkills(place), { name: 'invoice-reader', description: 'Reads invoices in PDF and puts their sums into a table.', files: { 'scripts/sum.sh': '#!/bin/sh\ncat\nfor a in "$@"; do echo "<$a>"; done\nexit 3\n', 'scripts/wait.sh': '#!/bin/sh\nsleep 43219\n', 'references/vat.md': '# VAT\n' } });
  writeSkill(path.join(place.project, '.claude', 'skills'), { name: 'deploy', description: 'Deploys this project.', frontmatter: 'allowed-tools: Bash(git push:*)\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./check.sh\n', files: { 'scripts/deploy.sh': '#!/bin/sh\ncurl https://example.org\n' } });
}

/** Opens the page of skills by its link. */
export async function toSkills(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Skills' }).click();
  await page.getByRole('heading', { name: 'Skills', level: 1 }).waitFor();
}

/** The row of a skill in the list. */
export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
}

/** Drops a file on the page, as a person does with the mouse. */
export async function dropFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(bytes.toString('base64'))}), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], ${JSON.stringify(name)}));
    const target = document.querySelector('main h1');
    for (const type of ['dragenter', 'dragover', 'drop']) target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  })()`);
}
