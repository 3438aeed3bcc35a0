import { describe, expect, it } from 'vitest';
import { diffRows } from '../../src/protocol/diff-rows.ts';
import { blocksOf } from '../../src/protocol/markdown-blocks.ts';
import { changeOfInput } from '../../web/src/chat/transcript/change-of-input.ts';
import { outputText } from '../../src/protocol/output-text.ts';

const TEXT = ['# Title', '', 'A paragraph', 'of two lines.', '', '- one', '', '  of two parts', '', '- two', '', '  ```sh', '  a', '', '  b', '  ```', '', 'After.', '```ts', 'const a = 1;', '', '# no title', '```', 'End.'].join('\n');

describe('blocks of a markdown text', () => {
  it('keep lists and fences whole', () => {
    expect(blocksOf(TEXT)).toEqual([
      { kind: 'markdown', text: '# Title' },
      { kind: 'markdown', text: 'A paragraph\nof two lines.' },
      { kind: 'markdown', text: '- one\n\n  of two parts\n\n- two\n\n  ```sh\n  a\n\n  b\n  ```' },
      { kind: 'markdown', text: 'After.' },
      { kind: 'code', language: 'ts', text: 'const a = 1;\n\n# no title' },
      { kind: 'markdown', text: 'End.' },
    ]);
  });

  it('stay as they are while the text grows, all but the last one', () => {
    for (let length = 1; length < TEXT.length; length += 1) {
      const before = blocksOf(TEXT.slice(0, length)).slice(0, -1);
      const after = blocksOf(TEXT.slice(0, length + 1));
      // A block that was only begun, such as a list by its dash, may still join the one before it.
      expect(after.slice(0, Math.max(0, before.length - 1)), `after ${length} characters`).toEqual(before.slice(0, Math.max(0, before.length - 1)));
    }
  });

  it('are one where names for addresses are used', () => {
    expect(blocksOf('See [a].\n\nMore.\n\n[a]: https://example.org')).toHaveLength(1);
  });

  it('take an open fence as code', () => {
    expect(blocksOf('```\na\n\nb')).toEqual([{ kind: 'code', language: '', text: 'a\n\nb' }]);
    expect(blocksOf('````md\n```\nx\n```\n````')).toEqual([{ kind: 'code', language: 'md', text: '```\nx\n```' }]);
  });
});

describe('rows of a diff', () => {
  it('have signs and numbers, also where a line looks like a head', () => {
    const rows = diffRows('--- a.sql\n+++ a.sql\n@@ -1,3 +1,3 @@\n one\n--- two\n+++ three\n four\n@@ -9,1 +9,2 @@\n nine\n+ten\n');
    expect(rows).toEqual([
      { kind: 'gap', text: '@@ -1,3 +1,3 @@' },
      { kind: 'same', text: 'one', before: 1, after: 1 },
      { kind: 'removed', text: '-- two', before: 2 },
      { kind: 'added', text: '++ three', after: 2 },
      { kind: 'same', text: 'four', before: 3, after: 3 },
      { kind: 'gap', text: '@@ -9,1 +9,2 @@' },
      { kind: 'same', text: 'nine', before: 9, after: 9 },
      { kind: 'added', text: 'ten', after: 10 },
    ]);
  });

  it('say where a diff was cut, or is none', () => {
    expect(diffRows('--- a\n+++ a\n@@ -0,0 +1,9 @@\n+one\n... 8 more lines').at(-1)).toEqual({ kind: 'note', text: '... 8 more lines' });
    expect(diffRows('--- a\n+++ a\n(the file was rewritten: too many changes to show)')).toMatchObject([{ kind: 'note' }]);
  });

  it('come from the arguments of a call that has not run', () => {
    expect(changeOfInput('Edit', { old_string: 'a\nb', new_string: 'a\nc' })?.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['same a', 'removed b', 'added c']);
    expect(changeOfInput('Write', { content: 'x\ny\n' })?.map(({ kind }) => kind)).toEqual(['added', 'added']);
    expect(changeOfInput('Read', { file_path: 'a' })).toBeUndefined();
  });
});

describe('output of a program', () => {
  it('is read as in a terminal without colours, and hides nothing', () => {
    expect(outputText('\u001b[31mred\u001b[0m\r\n10 %\r100 %\ndone\u202e!')).toBe('red\n100 %\ndone\\u202e!');
    expect(outputText('\u001b]0;title\u0007x')).toBe('x');
  });
});
