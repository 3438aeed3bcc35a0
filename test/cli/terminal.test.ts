import { describe, expect, it } from 'vitest';
import { forReader, jsonFor, oneLine, OutputFault, printable } from '../../src/cli/terminal.ts';

describe('text from outside', () => {
  it.each([
    ['an escape sequence', '\u001b[2Jgone', String.raw`\u001b[2Jgone`],
    ['a sequence of one byte', '\u009b31mred', String.raw`\u009b31mred`],
    ['a bell and a backspace', 'a\u0007\b', String.raw`a\u0007\u0008`],
    ['a lone carriage return', 'harmless\rrm -rf /', String.raw`harmless\u000drm -rf /`],
    ['a turn of the direction', 'txt.\u202Eexe', String.raw`txt.\u202eexe`],
    ['an isolate', '\u2066x\u2069', String.raw`\u2066x\u2069`],
    ['what has no width', 'a\u200bb\u2060c\ufeffd\u00ade', String.raw`a\u200bb\u2060c\ufeffd\u00ade`],
    ['letters that are blank', 'a\u3164b\u115fc\uffa0', String.raw`a\u3164b\u115fc\uffa0`],
    ['tags, which hide whole sentences', 'a\u{e0041}b\u{e0101}', String.raw`a\u{e0041}b\u{e0101}`],
    ['half a character', 'a\ud83d!', String.raw`a\ud83d!`],
    ['a joiner between letters', 'a\u200db', String.raw`a\u200db`],
  ])('shows %s as an escape (C-M4)', (_name, text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(oneLine(text)).toBe(shown);
  });

  it('keeps letters of all languages, tabs and emoji as they are', () => {
    const text = 'Grüße\t数据 العربية हिन्दी 👩‍❤️‍👨 👩🏽‍🚀 🏳️‍🌈 ❤️';
    expect(printable(text)).toBe(text);
  });

  it('takes every line end for one, and puts all on one line where that is asked for', () => {
    expect(printable('a\r\nb\u2028c\u2029d\ne')).toBe('a\nb\nc\nd\ne');
    expect(oneLine(' a\r\nb\u2028c\n\n\td ')).toBe('a b c d');
  });

  it('leaves what a program reads as it is', () => {
    const text = 'a\u001b[1mb\u202e';
    expect(forReader({ isTTY: false }, text)).toBe(text);
    expect(forReader({ isTTY: true }, text)).toBe(String.raw`a\u001b[1mb\u202e`);
    expect(jsonFor({ isTTY: false }, text)).toBe(JSON.stringify(text));
  });

  it('stays the same JSON for a person', () => {
    const value = { text: 'a\u009b2J\u202e\u200b\u{e0041} \u2028 👩‍🚀', list: ['\u001b'] };
    const shown = jsonFor({ isTTY: true }, value, 2);
    expect(shown).toContain(String.raw`a\u009b2J\u202e\u200b\udb40\udc41 \u2028 👩‍🚀`);
    expect(JSON.parse(shown)).toEqual(value);
  });
});

describe('a stream that cannot be written', () => {
  const stream = (isTTY: boolean): NodeJS.WriteStream => Object.assign(Object.create(process.stdout), { isTTY });
  const fault = (code: string, isTTY = false): OutputFault => new OutputFault(stream(isTTY), Object.assign(new Error(`${code}: reason`), { code }));

  it('has lost its reader, or is at fault', () => {
    expect([fault('EPIPE'), fault('ECONNRESET'), fault('EIO', true)].map(({ readerGone }) => readerGone)).toEqual([true, true, true]);
    expect([fault('ENOSPC'), fault('EIO')].map(({ readerGone }) => readerGone)).toEqual([false, false]);
    expect(fault('ENOSPC')).toMatchObject({ code: 'io', message: expect.stringContaining('Standard output cannot be written: ENOSPC') });
  });
});
