import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSkillMd } from '../../src/skills/read/read-skill-md.ts';
import { readSimpleFrontmatter } from '../../src/skills/read/simple-frontmatter.ts';
import { yamlReader } from '../../src/skills/read/yaml-reader.ts';
import { AWKWARD, corpusRows, fileText, hasAwkward, hasCorpus } from './corpus.ts';

/** What a person compares: no control or invisible characters, white space folded. */
const fold = (value: unknown): string => (typeof value === 'string' ? value : '').replace(/[\p{Cc}\p{Cf}]/gu, ' ').replace(/\s+/g, ' ').trim();

function strictly(frontmatter: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(`${frontmatter}\n`, { logLevel: 'error' });
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

describe.skipIf(!hasCorpus)('real skill files (needs ../shared/corpus)', () => {
  test('every full file is read, and where strict YAML reads it, to the same name and description', () => {
    const counts: Record<string, number> = { loaded: 0, repaired: 0, rejected: 0 };
    const wrong: string[] = [];
    for (const row of corpusRows().filter((each) => each.full)) {
      const document = readSkillMd(Buffer.from(fileText(row)), { folderName: row.path.split('/').at(-2) ?? 'skill', yaml: yamlReader });
      counts[document.status] = (counts[document.status] ?? 0) + 1;
      if (fold(document.name) === '' || (document.status !== 'rejected' && fold(document.description) === '')) wrong.push(`${row.id}: nothing to show`);
      const strict = strictly(row.frontmatter ?? '');
      for (const field of ['name', 'description'] as const) {
        const value = strict?.[field];
        if (typeof value === 'string' && value.trim() !== '' && document[field] !== value.trim().replaceAll('\0', ' ')) wrong.push(`${row.id}: ${field}`);
      }
      if (strict && document.status === 'repaired') wrong.push(`${row.id}: repaired although it is valid`);
    }
    console.log(`full corpus files: ${JSON.stringify(counts)}`);
    expect(wrong).toEqual([]);
    expect((counts['loaded'] ?? 0) + (counts['repaired'] ?? 0) + (counts['rejected'] ?? 0)).toBeGreaterThan(13_000);
  }, 120_000);

  test('the reader without YAML equals YAML wherever it answers, and answers for most', () => {
    const wrong: string[] = [];
    let answered = 0;
    const rows = corpusRows().filter((row) => row.frontmatter);
    for (const row of rows) {
      const simple = readSimpleFrontmatter(`${row.frontmatter ?? ''}\n`);
      if (!simple) continue;
      answered += 1;
      const strict = strictly(row.frontmatter ?? '');
      if (JSON.stringify(simple.fields) !== JSON.stringify(strict)) wrong.push(row.id);
    }
    console.log(`frontmatter read without YAML: ${answered} of ${rows.length}`);
    expect(wrong).toEqual([]);
    expect(answered / rows.length).toBeGreaterThan(0.8);
  }, 60_000);
});

interface AwkwardRow {
  readonly file: string;
  readonly dir: string;
  readonly strict_name?: unknown;
  readonly lenient_name?: unknown;
  readonly strict_description?: unknown;
  readonly lenient_description?: unknown;
}

const awkward: AwkwardRow[] = hasAwkward ? JSON.parse(fs.readFileSync(path.join(AWKWARD, 'index.json'), 'utf8')) : [];

describe.skipIf(!hasAwkward)('files that break parsers (needs ../shared/corpus/awkward)', () => {
  test.each(awkward.map((row): [string, AwkwardRow] => [row.file, row]))('%s', (file, row) => {
    const document = readSkillMd(fs.readFileSync(path.join(AWKWARD, file)), { folderName: row.dir, yaml: yamlReader });
    const name = fold(row.strict_name ?? row.lenient_name);
    const description = fold(row.strict_description ?? row.lenient_description);
    const bare = (text: string): string => text.replace(/^["'`*[,\s]+/, '');
    expect(document.status).not.toBe('rejected');
    expect(document.status === 'loaded' || document.reason !== undefined).toBe(true);
    if (name !== '') expect(fold(document.name)).toBe(name);
    if (description !== '' && !/^[|>][+-]?$/.test(description)) expect(bare(fold(document.description)).startsWith(bare(description))).toBe(true);
    expect(fold(document.description)).not.toMatch(/^(?:[|>][+-]?)?$/);
  });
});
