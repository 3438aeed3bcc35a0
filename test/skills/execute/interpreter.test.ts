import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/skills/execute/find-program.ts';
import { interpreterOf, type InterpreterPlaces, type ScriptFile } from '../../../src/skills/execute/interpreter.ts';
import { shebangOf } from '../../../src/skills/execute/shebang.ts';
import { temporaryFolder } from '../../host/temporary-folder.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

function script(name: string, start = '', mode = 0o644): ScriptFile {
  return { name, file: `/skill/${name}`, start: bytes(start), mode };
}

/** A folder with programs of these names, as the only one on the PATH. */
function programs(names: readonly string[], more: Partial<InterpreterPlaces> = {}): InterpreterPlaces & { readonly bin: string } {
  const bin = temporaryFolder();
  for (const name of names) fs.writeFileSync(path.join(bin, name), '', { mode: 0o755 });
  return { bin, platform: 'linux', env: { PATH: bin }, configured: {}, execPath: '/opt/node/bin/node', ...more };
}

describe('what runs a script', () => {
  it('the usual interpreter of its extension; Node is the one that this program runs on', () => {
    const places = programs(['python3', 'bash', 'node']);
    expect(interpreterOf(script('a.mjs'), places).argv).toEqual(['/opt/node/bin/node']);
    expect(interpreterOf(script('a.js'), { ...places, execPath: '/opt/app/electron' }).argv).toEqual([`${places.bin}/node`]);
    expect(interpreterOf(script('a.py'), places).argv).toEqual([`${places.bin}/python3`, '-B']);
    expect(interpreterOf(script('a.PY'), programs(['python'])).argv[0]).toMatch(/python$/);
    expect(interpreterOf(script('a.sh'), places).argv).toEqual(['/bin/sh']);
    expect(interpreterOf(script('a.bash'), places).argv).toEqual([`${places.bin}/bash`]);
  });

  it('its own first line before its extension, without marks of execution', () => {
    const places = programs(['ruby', 'bash', 'python3', 'deno']);
    expect(interpreterOf(script('a', '#!/usr/bin/env ruby\n'), places).argv).toEqual([`${places.bin}/ruby`]);
    expect(interpreterOf(script('a.sh', '#!/usr/bin/env bash\r\n'), places).argv).toEqual([`${places.bin}/bash`]);
    expect(interpreterOf(script('a.js', '#!/usr/bin/env -S deno run --quiet\n'), places).argv).toEqual([`${places.bin}/deno`, 'run', '--quiet']);
    expect(interpreterOf(script('a', '#!/bin/sh -e\n'), places).argv).toEqual(['/bin/sh', '-e']);
    expect(interpreterOf(script('a.py', '#!/usr/bin/python -u\n'), places).argv).toEqual([`${places.bin}/python3`, '-B', '-u']);
  });

  it('the configured one before all; its folder is named when it is given by its path', () => {
    const places = programs(['ruby', 'py']);
    const configured = { rb: ['ruby', '-w'], py: [`${places.bin}/py`], sh: [] };
    expect(interpreterOf(script('a.rb', '#!/usr/bin/env other\n'), { ...places, configured })).toEqual({ argv: [`${places.bin}/ruby`, '-w'] });
    expect(interpreterOf(script('a.py'), { ...places, configured })).toEqual({ argv: [`${places.bin}/py`], folder: places.bin });
    expect(interpreterOf(script('a.sh'), { ...places, configured }).argv).toEqual(['/bin/sh']);
  });

  it('nothing but itself for a binary program', () => {
    expect(interpreterOf(script('tool', '\x7fELF\x02', 0o755), programs([])).argv).toEqual([]);
  });

  it('on Windows programs by their names, and never a batch file', () => {
    const places = programs(['python.exe', 'sh.exe', 'sh.bat', 'run.cmd']);
    const found = (name: string): string | undefined => findProgram(name, { platform: 'win32', env: { Path: 'C:\\nowhere' } });
    expect(found('python')).toBeUndefined();
    expect(() => interpreterOf(script('a.sh', '#!/bin/sh\n'), { ...places, platform: 'win32' })).toThrow(/a\.sh needs sh, which was not found on the PATH\. Install Git for Windows/);
    expect(() => interpreterOf(script('a.cmd'), { ...places, platform: 'win32' })).toThrow(/not known what runs a\.cmd/);
  });

  it.each([
    ['a missing interpreter', script('main.py'), [], /^main\.py needs python3, which was not found on the PATH\. Install Python 3, for example with: sudo apt-get install -y python3, or name another program with the setting skills\.interpreters\.py\.$/],
    ['one of its first line', script('run', '#!/usr/bin/env ruby\n'), [], /^run needs ruby, which was not found on the PATH\. Install ruby, or .*skills\.interpreters\.EXTENSION\.$/],
    ['one at a place', script('run.sh', '#!/no/such/bash\n'), [], /^run\.sh needs \/no\/such\/bash, which is not there\. Install bash/],
    ['no interpreter', script('notes.txt', 'hello'), [], /^It is not known what runs notes\.txt: give it a first line such as #!.*skills\.interpreters\.txt\.$/],
    ['a file that nobody may read', script('run.sh', '#!/bin/sh\n', 0o000), [], /^run\.sh may not be read by anybody \(mode 000\)\. Give the right to: chmod u\+r \/skill\/run\.sh$/],
    ['a program without its mark', script('tool', '\x7fELF', 0o644), [], /chmod u\+x \/skill\/tool$/],
  ])('%s is spawn_failed in one sentence that says what to do', (_name, file, names, says) => {
    const places = programs(names);
    expect(() => interpreterOf(file, places)).toThrow(says);
    expect(() => interpreterOf(file, places)).toThrow(expect.objectContaining({ code: 'spawn_failed' }));
  });

  it('a configured one that is missing, or relative, is named', () => {
    for (const program of ['rubyy', './ruby', '/no/such/ruby']) {
      expect(() => interpreterOf(script('a.rb'), { ...programs(['ruby']), configured: { rb: [program] } })).toThrow(`a.rb is run by ${program} according to the setting skills.interpreters.rb, which was not found.`);
    }
  });
});

describe('programs', () => {
  it('are files that can be run, on absolute entries of the PATH', () => {
    const { bin } = programs(['good']);
    fs.writeFileSync(path.join(bin, 'plain'), '', { mode: 0o644 });
    fs.mkdirSync(path.join(bin, 'folder'));
    const find = (name: string, PATH = `relative::${bin}`): string | undefined => findProgram(name, { platform: 'linux', env: { PATH } });
    expect(find('good')).toBe(`${bin}/good`);
    expect(find(`${bin}/good`)).toBe(`${bin}/good`);
    for (const name of ['plain', 'folder', 'missing', './good', 'sub/good']) expect(find(name), name).toBeUndefined();
    expect(findProgram('good', { platform: 'linux', env: {} })).toBeUndefined();
  });
});

describe('first lines', () => {
  it.each([
    ['#!/bin/sh', { program: '/bin/sh', args: [] }],
    ['#! /usr/bin/awk -f -v x\nmore', { program: '/usr/bin/awk', args: ['-f -v x'] }],
    ['#!/usr/bin/env -i sh\n', { program: '/usr/bin/env', args: ['-i sh'] }],
    ['#!/usr/bin/env A=b sh\n', { program: '/usr/bin/env', args: ['A=b sh'] }],
    ['#!/usr/bin/env\n', { program: '/usr/bin/env', args: [] }],
    ['#!\n', undefined],
    ['echo\n#!/bin/sh', undefined],
    ['', undefined],
  ])('%j', (text, wanted) => expect(shebangOf(bytes(text))).toEqual(wanted));
});
