import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandHeads, type CommandHeads } from '../../../src/permissions/shell/command-heads.ts';
import { readShell } from '../../../src/permissions/shell/read-shell.ts';
import { processorTime } from '../../helpers/processor-time.ts';

const PIECES = ['a', 'git', ' ', ' ', "'", '"', '\\', '$', '`', '(', ')', '{', '}', '<', '>', '|', '&', ';', '\n', '#', '*', '~', '=', 'X=1', '$(', '<<E', '<<-E', 'E', '<<<', '2>', "$'", '!', 'case', 'in', 'esac', 'if', '${', '\t', '[', '\u00a0'];

/** A small generator with a seed, so that a failure can be repeated. */
function* texts(count: number): Generator<string> {
  let state = 12345;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % below;
  };
  for (let index = 0; index < count; index++) yield Array.from({ length: 1 + random(12) }, () => PIECES[random(PIECES.length)]).join('');
}

const headsOf = (text: string): CommandHeads => commandHeads(readShell(text), text);

describe('shell texts', () => {
  it('are split into words as bash splits them, when they are plain', () => {
    // Each text is given to bash behind a command word that prints its arguments.
    const printing = (text: string): string => `printf '%s\\1' x ${text}`;
    const plain = [...texts(60_000)].filter((text) => {
      const { commands, redirects, unclear } = readShell(printing(text));
      return unclear === undefined && commands.length === 1 && redirects.length === 0 && !/[<\n&]|\\$/.test(text) && commands[0]?.words.every((word) => word.static);
    });
    const sample = [...new Set(plain)].slice(0, 400);
    expect(sample.length).toBeGreaterThan(150);
    const script = sample.map((text) => `${printing(text)}\nprintf '\\2'`).join('\n');
    const printed = execFileSync('bash', ['--norc', '--noprofile', '-c', script], { encoding: 'utf8' });
    const words = printed.split('\u0002').slice(0, -1).map((line) => line.split('\u0001').slice(1, -1));
    sample.forEach((text, index) => {
      expect(readShell(printing(text)).commands[0]?.words.slice(3).map((word) => word.text), JSON.stringify(text)).toEqual(words[index]);
    });
  });

  it('never throw and take bounded time, whatever they hold', async () => {
    for (const text of texts(20_000)) headsOf(text);
    const long = ['$('.repeat(50_000), '`'.repeat(50_001), '${'.repeat(50_000), 'true; '.repeat(50_000), '"$('.repeat(30_000), '<<E '.repeat(20_000), "sh -c '".repeat(5_000), 'env '.repeat(3_000)];
    for (const text of long) {
      expect((await processorTime(5_000, () => headsOf(text))).ms, text.slice(0, 10)).toBeLessThan(5_000);
    }
  });

  it('show the denied command at the end of a very long list', () => {
    const heads = headsOf(`${'true; '.repeat(20_000)}rm x`).heads;
    expect(heads.at(-1)?.words.map((word) => word.text)).toEqual(['rm', 'x']);
  });
});
