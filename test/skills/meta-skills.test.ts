import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { localTree } from '../../src/host/local-tree.ts';
import { readDocument } from '../../src/skills/discover/read-entry.ts';
import { TARGETS, validateSkill } from '../../src/skills/validate/validate-skill.ts';
import { estimateTokens } from '../../src/util/estimate-tokens.ts';

const BUNDLED = path.resolve(import.meta.dirname, '../../skills');
const META = ['skill-creator', 'enhancing-skills', 'evaluating-skills'] as const;

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-meta-')));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
});

function script(file: string, ...args: readonly string[]): { readonly code: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(BUNDLED, file), ...args], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } });
  return { code: status, out: stdout, err: stderr };
}

const write = (file: string, content: unknown): void => {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  fs.writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
};

/** What a script found, as `severity: message` lines. */
function findingsIn(out: string): string {
  const { findings }: { readonly findings: readonly { readonly severity: string; readonly message: string }[] } = JSON.parse(out);
  return findings.map(({ severity, message }) => `${severity}: ${message}`).join('\n');
}

describe.each(META)('%s', (name) => {
  const at = path.join(BUNDLED, name);

  it('is in order for every client, marked as a meta-skill, of a size that is read, and passes the checks that it teaches', async () => {
    const place = { folder: at, file: path.join(at, 'SKILL.md') };
    const { ok, diagnostics } = await validateSkill(localTree(), place, TARGETS);
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(ok).toBe(true);
    const { body, frontmatter } = await readDocument(localTree(), place);
    expect(frontmatter.type).toBe('meta');
    expect(estimateTokens(body)).toBeLessThan(2_500);
    for (const checker of ['skill-creator/scripts/check-skill.mjs', 'evaluating-skills/scripts/check-evals.mjs']) expect(script(checker, at)).toMatchObject({ code: 0, out: expect.stringMatching(/"findings": \[\]/) });
  });
});

describe('the scripts', () => {
  it('check-skill finds what no client forgives and what makes skills fail', () => {
    write('pears/SKILL.md', '---\nname: apples\ndescription: Helps: with <fruit>\nversion: 1\n---\n\nSee references/a.md and references/gone.md.\n\n!`rm -rf x`\n');
    write('pears/references/a.md', 'Then read references/b.md.');
    write('pears/references/b.md', 'Nobody comes here.');
    const { code, out } = script('skill-creator/scripts/check-skill.mjs', 'pears');
    const messages = findingsIn(out);
    expect(code).toBe(1);
    for (const part of ['error: The skill is called apples and its folder pears', 'error: The description holds < or >', 'error: The description holds ": "', 'warning: The field version', 'error: The body names references/gone.md', 'warning: references/b.md is never named', 'warning: references/a.md leads to references/b.md', 'warning: A command would run']) expect(messages).toContain(part);
    expect(script('skill-creator/scripts/check-skill.mjs', 'none')).toMatchObject({ code: 2, err: expect.stringContaining('none is no folder') });
  });

  it('check-evals finds what cannot be read, what cannot fail, and which side is missing', () => {
    write('pears/SKILL.md', '---\nname: pears\ndescription: Counts pears.\n---\n\nCount.\n');
    write('pears/evals/evals.json', { evals: [
      { id: 1, prompt: 'count', files: ['evals/gone.csv'], expectations: [{ check: 'file_matches', path: 'a.txt', pattern: '.*' }, { check: 'file_matches', path: '../a.txt', pattern: '(' }, { check: 'guess' }] },
      { id: 1, prompt: 'use pears', expectations: ['The answer is good'] },
      { id: 2, prompt: ' ' },
    ] });
    write('pears/evals/triggers.json', [{ query: 'how many?', should_trigger: true }, { query: 'x', should_trigger: 'no' }]);
    const { code, out } = script('evaluating-skills/scripts/check-evals.mjs', 'pears');
    const messages = findingsIn(out);
    expect(code).toBe(1);
    for (const part of ['error: task 1: the file evals/gone.csv is not there', 'warning: task 1: /.*/ matches the empty text', 'leads out of the workspace', 'is no regular expression', 'nor a known check', 'error: The id 1 stands twice', 'warning: task 1 names the skill', 'leaves open what that means', 'error: task 2 has no "prompt"', 'so nothing can be measured', 'error: query 2 needs', 'both sides are needed']) expect(messages).toContain(part);
  });

  it('split-cases splits both sides in the same share, the same way each time, whatever the order', () => {
    const cases = Array.from({ length: 20 }, (_, i) => ({ query: `query ${i}`, should_trigger: i % 2 === 0 }));
    const parts = (): readonly (typeof cases)[] => ['learn', 'held-out'].map((name) => JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8')));
    write('triggers.json', cases);
    expect(JSON.parse(script('enhancing-skills/scripts/split-cases.mjs', 'triggers.json', '--out', '.').out)).toMatchObject({ learn: 12, held_out: 8 });
    const before = parts();
    expect(before.map((part) => part.filter((each) => each.should_trigger).length)).toEqual([6, 4]);
    write('triggers.json', cases.toReversed());
    script('enhancing-skills/scripts/split-cases.mjs', 'triggers.json', '--out', '.');
    expect(parts().map((part) => part.toReversed())).toEqual(before);
    expect(script('enhancing-skills/scripts/split-cases.mjs', 'triggers.json')).toMatchObject({ code: 2 });
  });

  it('edit-size counts lines of all files and says whether they are too many', () => {
    write('old/SKILL.md', 'a\nb\nc\nd\n');
    write('new/SKILL.md', 'a\nB\nc\nd\ne\n');
    write('new/references/x.md', 'one\ntwo\nthree');
    expect(JSON.parse(script('enhancing-skills/scripts/edit-size.mjs', 'old', 'new').out)).toEqual({ files: [{ path: 'SKILL.md', added: 2, removed: 1 }, { path: 'references/x.md', added: 3, removed: 0 }], lines: 5, within: true });
    expect(script('enhancing-skills/scripts/edit-size.mjs', 'old', 'new', '--most', '4').code).toBe(1);
  });
});
