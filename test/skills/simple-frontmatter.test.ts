import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSimpleFrontmatter } from '../../src/skills/read/simple-frontmatter.ts';

/** Repeatable random numbers (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const PIECES = ['name', 'description', 'a', 'B', 'true', 'null', 'no', '~', '1', '0', '1.0', '1.10', '007', '1e3', '0x1f', '1.2.3', '2024-01-02', '-', '- ', '--', '---', ':', ': ', ' :', ' #', '#', '"', "'", '""', "''", '\\', '\\n', '\\"', '|', '>', '|-', '>-', '|\n', '>\n', '\n', '\n\n', '\n  ', '\n    ', '\n- ', '\n  - ', ' ', '  ', '[', ']', '[a, b]', '{', '}', '{"a": 1}', '{"a":{"b":[1,2]}}', '{"a":1,"a":2}', ',', '&', '*', '*a', '&a', '!', '!!str', '%', '@', '`', '?', '? ', 'é', '中文', '，', '🙂', '\u00a0', '__proto__', 'x: y', 'k:', '.', '...', '=', '<<', '/', '(', ')', 'word', 'two words'];

function generate(next: () => number): string {
  const piece = (): string => PIECES[Math.floor(next() * PIECES.length)] ?? '';
  const text = (most: number): string => Array.from({ length: 1 + Math.floor(next() * most) }, piece).join('');
  const line = (indent: string): string => `${indent}${['name', 'k', 'k-1', 'x_y', piece()][Math.floor(next() * 5)] ?? ''}:${next() < 0.85 ? ' ' : ''}${next() < 0.2 ? '' : text(next() < 0.6 ? 1 : 4)}`;
  const indents = ['', '', '', '  ', '  ', '    ', ' '];
  return `${Array.from({ length: 1 + Math.floor(next() * 5) }, () => line(indents[Math.floor(next() * indents.length)] ?? '')).join('\n')}\n`;
}

test('whenever it answers, YAML gives the same (generated texts)', () => {
  const next = random(20_240_817);
  let answered = 0;
  const wrong: string[] = [];
  for (let i = 0; i < 60_000; i += 1) {
    const raw = generate(next);
    const simple = readSimpleFrontmatter(raw);
    if (!simple) continue;
    answered += 1;
    let strict: unknown = 'refused by YAML';
    try {
      strict = parse(raw, { logLevel: 'error' });
    } catch {
      wrong.push(raw);
      continue;
    }
    if (JSON.stringify(strict) !== JSON.stringify(simple.fields)) wrong.push(raw);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(answered).toBeGreaterThan(1_500);
});

test('what it reads', () => {
  const raw = 'name: a-b\ndescription: "Says \\"hi\\""\nversion: 1.10\nallowed-tools: [Read, Write]\nmetadata:\n  author: me\n  deep:\n    n: 3\nlist:\n- one\n- two\nflag: true\ntext: |\n  one\n\n  two\nfolded: >-\n  a\n  b\nempty:\nlong: first\n  second\n';
  expect(readSimpleFrontmatter(raw)).toEqual({
    fields: { name: 'a-b', description: 'Says "hi"', version: 1.1, 'allowed-tools': ['Read', 'Write'], metadata: { author: 'me', deep: { n: 3 } }, list: ['one', 'two'], flag: true, text: 'one\n\ntwo\n', folded: 'a b', empty: null, long: 'first second' },
    sources: { version: '1.10' },
  });
});
