import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
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

async function refused(kind: 'zip' | 'tar', archive: Buffer, says: string | RegExp): Promise<void> {
  const { error, outside } = await unpack(kind, archive);
  expect(error).toMatchObject({ code: 'install_refused', message: typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says) });
  expect(outside).toEqual(['a', 'a/b', 'archive']);
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
    await refused('zip', forged(await zipOf({ 'pdf/SKILL.md': skillMd('pdf'), [stand]: 'EVIL' }), stand, name), says);
    if (Buffer.byteLength(name) < 100) await refused('tar', tgzOf([{ path: name, data: 'EVIL' }]), says);
  });

  it.each<[string, readonly string[], string]>([
    ['letter case', ['pdf/a.md', 'pdf/A.md'], 'are one on some systems'],
    ['the form of an accent', ['pdf/\u00e9.md', 'pdf/e\u0301.md'], 'are one on some systems'],
    ['folders that differ by case', ['pdf/a.md', 'PDF/b.md'], 'are one on some systems'],
    ['a file and a folder', ['pdf/a', 'pdf/a/b'], 'both a file and a folder'],
    ['a folder and a file', ['pdf/a/b', 'pdf/a'], 'both a file and a folder'],
    ['the same name', ['pdf/a.md', './pdf/a.md'], 'twice'],
  ])('names that collide are refused: %s', async (_, [first = '', second = ''], says) => {
    await refused('tar', tgzOf([{ path: first, data: 'a' }, { path: second, data: 'b' }]), says);
    if (!second.startsWith('./')) await refused('zip', await zipOf({ [first]: 'a', [second]: 'b' }), says);
  });

  it('links and devices are refused, and nothing is written through them', async () => {
    await refused('tar', tgzOf([{ path: 'pdf/d', type: 'SymbolicLink', linkpath: '/tmp' }, { path: 'pdf/d/evil', data: 'EVIL' }]), '"pdf/d" is a link');
    await refused('tar', tgzOf([{ path: 'pdf/passwd', type: 'Link', linkpath: '/etc/passwd' }]), 'is a link');
    for (const type of ['FIFO', 'CharacterDevice', 'BlockDevice'] as const) await refused('tar', tgzOf([{ path: 'pdf/x', type }]), 'no plain file or folder');
    const link = Buffer.alloc(4);
    link.writeUInt32LE((0o120777 << 16) >>> 0);
    const file = Buffer.alloc(4);
    file.writeUInt32LE((0o100644 << 16) >>> 0);
    await refused('zip', forged(await zipOf({ 'pdf/alias': 'SKILL.md' }), file, link), 'is a link');
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
    await refused('zip', await zipOf({ 'pdf/big': zeros }), '50 MiB are the limit');
    const size = Buffer.alloc(4);
    size.writeUInt32LE(zeros.length);
    const claimed = Buffer.alloc(4);
    claimed.writeUInt32LE(1_000);
    await refused('zip', forged(await zipOf({ 'pdf/big': zeros }), size, claimed), 'more than the 1000 bytes');
    await refused('tar', tgzOf([{ path: 'pdf/big', data: zeros }]), /50 MiB are the limit|ratio/);
  });

  it('more than a hundred times its packed size is refused above 1 MiB, and allowed below', async () => {
    const archives = (bytes: number) => Promise.all([zipOf({ 'pdf/x': Buffer.alloc(bytes) }), tgzOf([{ path: 'pdf/x', data: Buffer.alloc(bytes) }])]);
    const [zip, tar] = await archives(2 * MIB);
    await refused('zip', zip, 'more than 100 times');
    await refused('tar', tar, 'more than 100 times');
    const [smallZip, smallTar] = await archives(MIB - 1024);
    expect((await unpack('zip', smallZip)).error).toBeUndefined();
    expect((await unpack('tar', smallTar)).error).toBeUndefined();
  });

  it('a SKILL.md may have 1 MiB, and all files together 200 MiB', async () => {
    const noise = Buffer.from(Array.from({ length: MIB + 1 }, (_, i) => (i * 7919) % 251));
    await refused('zip', await zipOf({ 'pdf/SKILL.md': noise }), '"pdf/SKILL.md" is larger than 1 MiB');
    await refused('tar', tgzOf([{ path: 'pdf/skill.MD', data: noise }]), 'is larger than 1 MiB');
  });

  it('more than 10,000 entries are refused', async () => {
    await refused('zip', await zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`pdf/${i}/`, '']))), '10001 entries');
    await refused('tar', tgzOf(Array.from({ length: 10_001 }, () => ({ path: 'pdf/', type: 'Directory' }))), 'more than 10000');
  });

  it('an archive of more than 50 MiB is not opened', async () => {
    await refused('zip', Buffer.alloc(50 * MIB + 1), '50 MiB are the limit');
    await refused('tar', Buffer.alloc(50 * MIB + 1), '50 MiB are the limit');
  });
});

describe('zips that can be read in two ways, or not at all', () => {
  it('another name in the entry\'s own header is refused', async () => {
    const zip = await zipOf({ 'pdf/good.txt': 'x' });
    zip.write('pdf/evil.txt', zip.indexOf('pdf/good.txt'));
    await refused('zip', zip, 'another name in its own header');
  });

  it('something before the archive, a wrong checksum, a cut end, no zip', async () => {
    const zip = await zipOf({ 'pdf/a.txt': 'hello '.repeat(100) });
    await refused('zip', Buffer.concat([Buffer.from('#!/bin/sh\n'), zip]), /damaged|before the first entry/);
    await refused('zip', zip.subarray(0, zip.length - 5), 'damaged');
    await refused('zip', Buffer.from('text'), 'damaged');
    await refused('zip', Buffer.alloc(0), 'damaged');
    const broken = Buffer.from(zip);
    const at = broken.indexOf('pdf/a.txt') + 12;
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    await refused('zip', broken, 'damaged');
  });

  it('a list that goes on after the last entry that is counted is refused', async () => {
    const zip = await zipOf({ 'pdf/a': 'a', 'pdf/b': 'b' });
    const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    zip.writeUInt16LE(1, end + 8);
    zip.writeUInt16LE(1, end + 10);
    await refused('zip', zip, 'does not end where its end record says');
  });
});

describe('tars', () => {
  it('that cannot be read are refused: cut, no tar, damaged gzip, wrong checksum of a header', async () => {
    const tar = zlib.gunzipSync(tgzOf([{ path: 'pdf/a', data: 'a'.repeat(5_000) }]));
    await refused('tar', zlib.gzipSync(tar.subarray(0, 2_000)), 'damaged');
    await refused('tar', zlib.gzipSync(Buffer.alloc(5_000, 'x')), 'damaged');
    const packed = zlib.gzipSync(tar);
    await refused('tar', packed.subarray(0, packed.length - 20), 'damaged');
    await refused('tar', Buffer.concat([packed.subarray(0, 20), Buffer.alloc(40, 0xff)]), 'damaged');
    tar[10] = 0x41;
    await refused('tar', zlib.gzipSync(tar), 'damaged');
  });

  it('and thousands of files come out whole', async () => {
    const { files, error } = await unpack('tar', tgzOf(Array.from({ length: 9_000 }, (_, i) => ({ path: `pdf/f/${i}.txt`, data: `file ${i}` }))));
    expect(error).toBeUndefined();
    expect(files).toHaveLength(9_002);
  });
});
