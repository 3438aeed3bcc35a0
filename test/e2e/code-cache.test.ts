import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makePlace, type Place } from './program.ts';

interface Copy {
  /** Where the compiled code of `doctor` is kept. */
  readonly kept: string;
  readonly chunks: string;
  /** What `--help` prints; 0 is its exit code. */
  help(): { readonly code: number | null; readonly stdout: string; readonly stderr: string };
}

/** A program of one's own, which may be damaged. */
function copyOf(place: Place): Copy {
  const root = path.join(place.root, 'package');
  fs.mkdirSync(root);
  fs.copyFileSync('package.json', path.join(root, 'package.json'));
  fs.cpSync('dist', path.join(root, 'dist'), { recursive: true, filter: (file) => !/compiled|lib|types/.test(path.relative('dist', file)) });
  fs.symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  return {
    kept: path.join(root, 'dist/compiled', `${process.version}-${process.arch}`, 'doctor'),
    chunks: path.join(root, 'dist/chunks'),
    help() {
      const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), 'doctor', '--help'], { env: place.env, cwd: place.project, encoding: 'utf8' });
      return { code: status, stdout, stderr };
    },
  };
}

const first = (text: string): string => text.split('\n')[0] ?? '';

it('the second start of a command takes the code that the first one has compiled', () => {
  const place = makePlace();
  const program = copyOf(place);
  const said = program.help();
  expect(said).toMatchObject({ code: 0, stderr: '' });
  const before = fs.statSync(program.kept);
  // Other words of the same length in the source are not looked at.
  const chunk = fs.readdirSync(program.chunks).map((name) => path.join(program.chunks, name)).find((file) => fs.readFileSync(file, 'utf8').includes('what works on this machine, and what to do'));
  fs.writeFileSync(chunk ?? '', fs.readFileSync(chunk ?? '', 'utf8').replace('what works on this machine, and what to do', 'WHAT WORKS ON THIS MACHINE, AND WHAT TO DO'));
  expect(program.help()).toEqual(said);
  expect(fs.statSync(program.kept)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
});

it('what was kept and is damaged is compiled and kept anew', () => {
  const place = makePlace();
  const program = copyOf(place);
  const said = program.help();
  const whole = fs.readFileSync(program.kept);
  for (const damaged of [whole.subarray(0, whole.length - 9), whole.map((byte, at) => (at === whole.length - 9 ? byte ^ 0x55 : byte)), Buffer.alloc(0), Buffer.from('no compiled code at all')]) {
    fs.writeFileSync(program.kept, damaged);
    expect(program.help()).toEqual(said);
    expect(fs.readFileSync(program.kept)).not.toEqual(Buffer.from(damaged));
  }
});

it('what stands in its place and cannot be read keeps no program from starting', () => {
  const place = makePlace();
  const program = copyOf(place);
  fs.mkdirSync(program.kept, { recursive: true });
  expect(program.help()).toMatchObject({ code: 0, stderr: '' });
  expect(fs.readdirSync(path.dirname(program.kept))).toEqual(['doctor']);
});

it('where it cannot be kept the program works without, and leaves nothing', () => {
  const place = makePlace();
  const program = copyOf(place);
  fs.writeFileSync(path.join(path.dirname(program.chunks), 'compiled'), 'a file in its place');
  const said = program.help();
  expect(said).toMatchObject({ code: 0, stderr: '' });
  expect(first(said.stdout)).toContain('Usage');
  expect(fs.readFileSync(path.join(path.dirname(program.chunks), 'compiled'), 'utf8')).toBe('a file in its place');
});
