import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide } from '../../../src/permissions/decide.ts';
import { rulesOf } from '../helpers.ts';

const PIECES = [
  'git', 'git ', 'git status', ' ', ' ', ' ', "'", '"', '\\', '$', '`', '(', ')', '{', '}', '<', '>', '|', '&', ';', '\n', '#', '*', '~', '=', 'X=1', '$(', '<<E', '<<-E', 'E', '<<<', '2>', '&1', '/dev/null', "$'", '!', 'case', 'in', 'esac', 'if', 'then', 'fi', 'for', 'x', 'do', 'done', 'while',
  '${', '}', ':-', '@P', '[', ']', '[[', ']]', '((', '))', 'a[', 'evil', 'evil ', 'echo', 'time', 'timeout 5', 'nice', 'command', 'coproc', 'function', 'f()', 'select', '&&', '||', ';;', '|&', '&>', '>&', '<(', '>(', '+(', '@(', '?(', ',', '..', '{a,b}', '{fd}', '-c', '--', '\t', '\u00a0', 'é', '1', '-eq', 'cd ', 'exec ', 'eval ', '. ', 'export ',
];
const TEXTS = 100_000;
const RUN = 2_000;

/** Texts out of pieces of shell, the same in every run; half of them begin with the command that is allowed. */
function* texts(): Generator<string> {
  let state = 20_261_122;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % below;
  };
  for (let index = 0; index < TEXTS; index++) {
    const pieces = Array.from({ length: 1 + random(14) }, () => PIECES[random(PIECES.length)]);
    yield `${index % 2 === 0 ? 'git ' : ''}${pieces.join(random(2) === 0 ? '' : ' ')}`;
  }
}

describe('random shell texts (C-R3)', () => {
  let root = '';

  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-fuzz-'));
    const programs = path.join(root, 'bin');
    fs.mkdirSync(programs);
    fs.writeFileSync(path.join(programs, 'git'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    for (const wrapper of ['timeout', 'nice', 'nohup', 'stdbuf']) fs.writeFileSync(path.join(programs, wrapper), `#!/bin/sh\nexec /usr/bin/${wrapper} "$@"\n`, { mode: 0o755 });
    const builtins = execFileSync('bash', ['-c', 'compgen -b'], { encoding: 'utf8' }).split('\n').filter((name) => name !== '' && name !== 'command');
    fs.writeFileSync(path.join(root, 'env.sh'), `enable -n ${builtins.map((name) => `'${name}'`).join(' ')}\n`);
  });

  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  it('are decided without an exception, and those that a rule allows run nothing but what it names', { timeout: 300_000 }, () => {
    const rules = rulesOf({ allow: ['Bash(git:*)'] });
    const workspace = { roots: [], readableRoots: [], home: '/home/u' };
    const allowed = new Set<string>();
    const took: number[] = [];
    for (const command of texts()) {
      const from = performance.now();
      const { verdict } = decide({ call: { tool: 'Bash', needs: [{ action: 'command', command }] }, mode: 'default', rules, workspace, locate: [] });
      took.push(performance.now() - from);
      if (verdict === 'allow') allowed.add(command);
    }
    // 99 of 100 take at most 5 ms.
    expect(took.toSorted((a, b) => a - b)[Math.floor(TEXTS * 0.99)]).toBeLessThanOrEqual(5);
    expect(allowed.size).toBeGreaterThan(RUN);
    const step = allowed.size / RUN;
    const sample = [...allowed].filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
    const cwd = path.join(root, 'work');
    const astray = sample.filter((command) => {
      fs.mkdirSync(cwd);
      // Every builtin is off, and of programs there is only the one that the rule names: anything else is not found.
      const { stderr, error } = spawnSync('/bin/bash', ['-c', command], { cwd, input: '', encoding: 'utf8', timeout: 20_000, env: { PATH: path.join(root, 'bin'), BASH_ENV: path.join(root, 'env.sh'), HOME: '/nonexistent' } });
      const files = fs.readdirSync(cwd);
      fs.rmSync(cwd, { recursive: true });
      return error !== undefined || files.length > 0 || /not found|No such file|Is a directory|ermission denied/.test(stderr);
    });
    expect(sample.length).toBeGreaterThanOrEqual(RUN - 1);
    expect(astray).toEqual([]);
  });
});
