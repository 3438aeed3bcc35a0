import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { systemCode } from '../../src/protocol/errors.ts';
import { forged, skillMd, zipOf } from '../skills/library/archives.ts';
import { makePlace, oneLineOf, start } from './program.ts';

const MIB = 1024 * 1024;

/** Loaded before the program: writes the most memory that it had, in bytes, when it ends. */
const GAUGE = "process.on('exit', () => require('node:fs').writeFileSync(process.env.GAUGE, String(process.resourceUsage().maxRSS * 1024)));";

/** Bytes of a file, or of all files below a folder; what goes while it is looked at counts nothing. */
function sizeOf(at: string): number {
  const found = fs.lstatSync(at, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  try {
    return fs.readdirSync(at).reduce((sum, name) => sum + sizeOf(path.join(at, name)), 0);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

it('an archive that holds 300 MiB behind 1,000 bytes is refused in time, memory and disk, and nothing of it is left (C-A3)', async () => {
  const place = makePlace();
  const big = 300 * MIB;
  const size = Buffer.alloc(4);
  size.writeUInt32LE(big);
  const claimed = Buffer.alloc(4);
  claimed.writeUInt32LE(1_000);
  const archive = path.join(place.root, 'bomb.zip');
  fs.writeFileSync(archive, forged(await zipOf({ 'pdf/SKILL.md': skillMd('pdf'), 'pdf/big.bin': Buffer.alloc(big) }), size, claimed));
  expect(fs.statSync(archive).size).toBeLessThan(MIB);
  const gauge = path.join(place.root, 'gauge.cjs');
  fs.writeFileSync(gauge, GAUGE);
  const measured = async (args: readonly string[]) => {
    const figure = path.join(place.root, 'tmp', 'most-memory');
    const from = performance.now();
    const { child, ended } = start(place, args, { env: { NODE_OPTIONS: `--require ${gauge}`, GAUGE: figure } });
    let disk = 0;
    const watch = setInterval(() => { disk = Math.max(disk, sizeOf(place.root)); }, 10);
    const end = await ended;
    clearInterval(watch);
    return { ...end, pid: child.pid, ms: performance.now() - from, disk, memory: Number(fs.readFileSync(figure, 'utf8')) };
  };
  const idle = await measured(['skills', 'list']);
  const before = sizeOf(place.root);
  const { code, ms, memory, disk, ...ended } = await measured(['skills', 'install', archive]);
  expect([code, oneLineOf({ code, ...ended })]).toEqual([6, expect.stringContaining('more than the 1000 bytes')]);
  expect(ms).toBeLessThan(5_000);
  expect(memory - idle.memory).toBeLessThan(300 * MIB);
  expect(disk - before).toBeLessThan(250 * MIB);
  expect(fs.existsSync(path.join(place.data, 'skills'))).toBe(false);
  expect(fs.readdirSync(place.env.TMPDIR ?? '')).toEqual(['most-memory']);
}, 60_000);
