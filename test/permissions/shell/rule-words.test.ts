import { describe, expect, it } from 'vitest';
import { readShell } from '../../../src/permissions/shell/read-shell.ts';
import { ruleWords } from '../../../src/permissions/shell/rule-words.ts';

const PIECES = ['a', 'git', ' ', ' ', "'", '"', '\\', '$', '`', '(', '{', '}', '<', '|', '&', ';', '\n', '#', '*', '~', '=', 'X=1', '!', 'if', '[', ']', '\t', 'é', '%', '@', ','];

describe('the words of a rule', () => {
  it('are what a shell reads, wherever a rule takes them', () => {
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return (state >> 8) % below;
    };
    let taken = 0;
    for (let index = 0; index < 50_000; index++) {
      const text = Array.from({ length: 1 + random(10) }, () => PIECES[random(PIECES.length)]).join('');
      const rule = ruleWords(text);
      if ('why' in rule) continue;
      taken += 1;
      // Behind a command word, so that words of the syntax are words.
      const { commands, redirects, unclear } = readShell(`x ${text.trimStart()}`);
      expect([commands.length, redirects.length, unclear], text).toEqual([1, 0, undefined]);
      expect(commands[0]?.words.every((word) => word.static), text).toBe(true);
      expect(commands[0]?.words.slice(1).map((word) => word.text), text).toEqual(rule.words);
    }
    expect(taken).toBeGreaterThan(1_000);
  });

  it('are refused with a reason', () => {
    const why = (text: string): string => {
      const words = ruleWords(text);
      return 'why' in words ? words.why : words.words.join('|');
    };
    expect(why('git "a b" c\\ d')).toBe('git|a b|c d');
    expect(why('')).toContain('empty');
    expect(why("''")).toContain('first word is empty');
    expect(why('a; b')).toContain('holds ";"');
    expect(why('a $b')).toContain('"$" outside of quotes');
    expect(why('a "$b"')).toContain('stays open');
    expect(why('a # b')).toContain('comment');
    expect(why('A=1 b')).toContain('assignment');
    expect(why('a\nb')).toContain('more than one line');
  });
});
