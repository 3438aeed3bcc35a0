import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SkillmintError } from '../../../src/protocol/errors.ts';
import { unpackTar } from '../../../src/skills/library/unpack-tar.ts';
import { unpackZip } from '../../../src/skills/library/unpack-zip.ts';
import { temporaryFolder } from '../../host/temporary-folder.ts';
import { forged, skillMd, tgzOf, zipOf } from './archives.ts';

const MIB = 1024 * 1024;

/** What lies below the folder after unpacking, or the error. */
async function unpack(kind: 'zip' | 'tar', archive: Buffer): Promise<{ readonly files: readonly string[]; readonly into: string; readonly outside: readonly string[]; readonly error?: unknown }> {
  const root = temporaryFolder();
  const into = path.join(root, 'a', 'b', 'into');
  fs.mkdirSync(into, { recursive: true });
  const file = path.join(root, 'archive');
  fs.writeFileSync(file, archive);
  let error: unknown;
  try {
    await (kind === 'zip' ? unpackZip : unpackTar)(file, into);
  } catch (thrown) {
    error = thrown;
  }
  const all = fs.readdirSync(root, { recursive: true }).map(String).sort();
  return { files: fs.readdirSync(into, { recursive: true }).map(String).sort(), into, outside: all.filter((name) => !name.startsWith('a/b/into')), ...(error === undefined ? {} : { error }) };
}

/** Why the archive was refused, with nothing written elsewhere; else what happened instead. */
async function refusalOf(kind: 'zip' | 'tar', archive: Buffer): Promise<string> {
  const { error, outside } = await unpack(kind, archive);
  if (outside.join() !== 'a,a/b,archive') return `outside: ${outside.join()}`;
  return error instanceof SkillmintError && error.code === 'install_refused' ? error.message : `no refusal: ${String(error)}`;
}

describe('paths, in both kinds of archives', () => {
  it.each([
    ['../evil.txt', 'leads upward'],
    ['pdf/../../e.txt', 'leads upward'],
    ['/tmp/evil.txt', 'is absolute'],
    ['C:/evil.txt.x', 'a drive letter'],
    ['pdf\\..\\evil.x', 'a backslash'],
    ['pdf//evil.txt', 'an empty name'],
    ['pdf/./evil.tx', 'an empty name'],
    ['pdf/a.md:evil', 'a colon'],
    ['pdf/com1.text', 'keeps for a device'],
    ['pdf/a. /x.txt', 'a full stop or a space'],
    ['pdf/a\u001b[2Jx', 'control'],
    ['pdf/a\u202ex.md', 'control or invisible'],
    [`${'d/'.repeat(32)}x.md`, '32 levels'],
    [`pdf/${'n'.repeat(256)}`, '255 bytes'],
  ])('%s is refused', async (name, says) => {
    const stand = 'x'.repeat(Buffer.byteLength(name));
    expect(await refusalOf('zip', forged(await zipOf({ 'pdf/SKILL.md': skillMd('pdf'), [stand]: 'EVIL' }), stand, name))).toMatch(says);
    if (Buffer.byteLength(name) < 100) expect(await refusalOf('tar', tgzOf([{ path: name, data: 'EVIL' }]))).toMatch(says);
  });

  it.each<[string, readonly string[], string]>([
    ['letter case', ['pdf/a.md', 'pdf/A.md'], 'are one on some systems'],
    ['the form of an accent', ['pdf/\u00e9.md', 'pdf/e\u0301.md'], 'are one on some systems'],
    ['folders that differ by case', ['pdf/a.md', 'PDF/b.md'], 'are one on some systems'],
    ['a file and a folder', ['pdf/a', 'pdf/a/b'], 'both a file and a folder'],
    ['a folder and a file', ['pdf/a/b', 'pdf/a'], 'both a file and a folder'],
    ['the same name', ['pdf/a.md', './pdf/a.md'], 'twice'],
  ])('names that collide are refused: %s', async (_, [first = '', second = ''], says) => {
    expect(await refusalOf('tar', tgzOf([{ path: first, data: 'a' }, { path: second, data: 'b' }]))).toMatch(says);
    if (!second.startsWith('./')) expect(await refusalOf('zip', await zipOf({ [first]: 'a', [second]: 'b' }))).toMatch(says);
  });

  it('links and devices are refused, and nothing is written through them', async () => {
    expect(await refusalOf('tar', tgzOf([{ path: 'pdf/d', type: 'SymbolicLink', linkpath: '/tmp' }, { path: 'pdf/d/evil', data: 'EVIL' }]))).toMatch('"pdf/d" is a link');
    expect(await refusalOf('tar', tgzOf([{ path: 'pdf/passwd', type: 'Link', linkpath: '/etc/passwd' }]))).toMatch('is a link');
    for (const type of ['FIFO', 'CharacterDevice', 'BlockDevice'] as const) expect(await refusalOf('tar', tgzOf([{ path: 'pdf/x', type }]))).toMatch('no plain file or folder');
    const link = Buffer.alloc(4);
    link.writeUInt32LE((0o120777 << 16) >>> 0);
    const file = Buffer.alloc(4);
    file.writeUInt32LE((0o100644 << 16) >>> 0);
    expect(await refusalOf('zip', forged(await zipOf({ 'pdf/alias': 'SKILL.md' }), file, link))).toMatch('is a link');
  });

  it('modes keep the right to run and nothing else; what systems leave behind is left out', async () => {
    const files = { 'pdf/run.sh': { data: 'id', mode: 0o7777 }, 'pdf/a.md': { data: 'a', mode: 0o666 }, '__MACOSX/._a': 'x', 'pdf/.DS_Store': 'x', 'pdf/.git/config': 'x', 'pdf/caf\u00e9.md': 'x' };
    const tar = tgzOf(Object.entries(files).map(([name, file]) => (typeof file === 'string' ? { path: name, data: file } : { path: name, ...file })));
    for (const [kind, archive] of [['zip', await zipOf(files)], ['tar', tar]] as const) {
      const { files: names, into, error } = await unpack(kind, archive);
      expect(error).toBeUndefined();
      expect(names).toEqual(['pdf', 'pdf/a.md', 'pdf/caf\u00e9.md', 'pdf/run.sh']);
      expect(fs.statSync(path.join(into, 'pdf/run.sh')).mode & 0o7022).toBe(0);
      expect(fs.statSync(path.join(into, 'pdf/run.sh')).mode & 0o100).toBe(0o100);
      expect(fs.statSync(path.join(into, 'pdf/a.md')).mode & 0o133).toBe(0);
    }
  });
});

describe('sizes, in both kinds of archives', () => {
  it('what is really written counts, whatever the archive claims', async () => {
    const zeros = Buffer.alloc(51 * MIB);
    expect(await refusalOf('zip', await zipOf({ 'pdf/big': zeros }))).toMatch('50 MiB are the limit');
    const size = Buffer.alloc(4);
    size.writeUInt32LE(zeros.length);
    const claimed = Buffer.alloc(4);
    claimed.writeUInt32LE(1_000);
    expect(await refusalOf('zip', forged(await zipOf({ 'pdf/big': zeros }), size, claimed))).toMatch('more than the 1000 bytes');
    expect(await refusalOf('tar', tgzOf([{ path: 'pdf/big', data: zeros }]))).toMatch(/50 MiB are the limit|ratio/);
  });

  it('more than a hundred times its packed size is refused above 1 MiB, and allowed below', async () => {
    const archives = async (bytes: number): Promise<readonly [Buffer, Buffer]> => [await zipOf({ 'pdf/x': Buffer.alloc(bytes) }), tgzOf([{ path: 'pdf/x', data: Buffer.alloc(bytes) }])];
    const [zip, tar] = await archives(2 * MIB);
    expect(await refusalOf('zip', zip)).toMatch('more than 100 times');
    expect(await refusalOf('tar', tar)).toMatch('more than 100 times');
    const [smallZip, smallTar] = await archives(MIB - 1024);
    expect((await unpack('zip', smallZip)).error).toBeUndefined();
    expect((await unpack('tar', smallTar)).error).toBeUndefined();
  });

  it('a SKILL.md may have 1 MiB, and all files together 200 MiB', async () => {
    const noise = Buffer.from(Array.from({ length: MIB + 1 }, (_, i) => (i * 7919) % 251));
    expect(await refusalOf('zip', await zipOf({ 'pdf/SKILL.md': noise }))).toMatch('"pdf/SKILL.md" is larger than 1 MiB');
    expect(await refusalOf('tar', tgzOf([{ path: 'pdf/skill.MD', data: noise }]))).toMatch('is larger than 1 MiB');
  });

  it('more than 10,000 entries are refused', async () => {
    expect(await refusalOf('zip', await zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`pdf/${i}/`, '']))))).toMatch('10001 entries');
    expect(await refusalOf('tar', tgzOf(Array.from({ length: 10_001 }, () => ({ path: 'pdf/', type: 'Directory' }))))).toMatch('more than 10000');
  });

  it('an archive of more than 50 MiB is not opened', async () => {
    expect(await refusalOf('zip', Buffer.alloc(50 * MIB + 1))).toMatch('50 MiB are the limit');
    expect(await refusalOf('tar', Buffer.alloc(50 * MIB + 1))).toMatch('50 MiB are the limit');
  });
});

describe('zips that can be read in two ways, or not at all', () => {
  it('another name in the entry\'s own header is refused', async () => {
    const zip = await zipOf({ 'pdf/good.txt': 'x' });
    zip.write('pdf/evil.txt', zip.indexOf('pdf/good.txt'));
    expect(await refusalOf('zip', zip)).toMatch('another name in its own header');
  });

  it('something before the archive, a wrong checksum, a cut end, no zip', async () => {
    const zip = await zipOf({ 'pdf/a.txt': 'hello '.repeat(100) });
    expect(await refusalOf('zip', Buffer.concat([Buffer.from('#!/bin/sh\n'), zip]))).toMatch(/damaged|before the first entry/);
    expect(await refusalOf('zip', zip.subarray(0, zip.length - 5))).toMatch('damaged');
    expect(await refusalOf('zip', Buffer.from('text'))).toMatch('damaged');
    expect(await refusalOf('zip', Buffer.alloc(0))).toMatch('damaged');
    const broken = Buffer.from(zip);
    const at = broken.indexOf('pdf/a.txt') + 12;
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    expect(await refusalOf('zip', broken)).toMatch('damaged');
  });

  it('a list that goes on after the last entry that is counted is refused', async () => {
    const zip = await zipOf({ 'pdf/a': 'a', 'pdf/b': 'b' });
    const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    zip.writeUInt16LE(1, end + 8);
    zip.writeUInt16LE(1, end + 10);
    expect(await refusalOf('zip', zip)).toMatch('does not end where its end record says');
  });
});

describe('tars', () => {
  it('that cannot be read are refused: cut, no tar, damaged gzip, wrong checksum of a header', async () => {
    const tar = zlib.gunzipSync(tgzOf([{ path: 'pdf/a', data: 'a'.repeat(5_000) }]));
    expect(await refusalOf('tar', zlib.gzipSync(tar.subarray(0, 2_000)))).toMatch('damaged');
    expect(await refusalOf('tar', zlib.gzipSync(Buffer.alloc(5_000, 'x')))).toMatch('damaged');
    const packed = zlib.gzipSync(tar);
    expect(await refusalOf('tar', packed.subarray(0, packed.length - 20))).toMatch('damaged');
    expect(await refusalOf('tar', Buffer.concat([packed.subarray(0, 20), Buffer.alloc(40, 0xff)]))).toMatch('damaged');
    tar[10] = 0x41;
    expect(await refusalOf('tar', zlib.gzipSync(tar))).toMatch('damaged');
  });

  it('and thousands of files come out whole', async () => {
    const { files, error } = await unpack('tar', tgzOf(Array.from({ length: 9_000 }, (_, i) => ({ path: `pdf/f/${i}.txt`, data: `file ${i}` }))));
    expect(error).toBeUndefined();
    expect(files).toHaveLength(9_002);
  });
});
