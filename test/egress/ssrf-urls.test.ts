import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type PlayedNetwork, url } from '../../src/testing/security-adapter.ts';
import { SHARED } from '../skills/corpus.ts';

interface Row extends PlayedNetwork {
  readonly id: string;
  readonly url: string;
  readonly expect: 'allow' | 'block';
}

const FILE = path.join(SHARED, 'security', 'ssrf-urls.jsonl');
const rows = (fs.existsSync(FILE) ? fs.readFileSync(FILE, 'utf8').trim().split('\n') : []).map((line): Row => JSON.parse(line));

describe.skipIf(rows.length === 0)('the shared addresses (need the folder with the shared data)', () => {
  it('are judged as expected, all of them (C-N1)', async () => {
    const verdicts = await Promise.all(rows.map(async (row) => `${row.id} ${await url(row.url, row)}`));
    expect(verdicts).toEqual(rows.map((row) => `${row.id} ${row.expect}`));
    expect(rows.length).toBeGreaterThan(70);
  });
});
