import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { parseRules } from '../../src/permissions/rules.ts';

const shared = process.env['SKILLMINT_SHARED'] ?? path.resolve(import.meta.dirname, '../../../shared');
const data = path.join(shared, 'security/shell-rules.jsonl');

interface Row {
  readonly id: string;
  readonly tier: number;
  readonly rule: string;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly command: string;
  readonly expect: 'allow' | 'ask' | 'deny';
  readonly why: string;
}

const RANK = { allow: 0, ask: 1, deny: 2 };

function verdictOf(row: Row): 'allow' | 'ask' | 'deny' {
  const { rules } = parseRules({ allow: [row.rule, ...(row.allow ?? [])], ask: row.ask ?? [], deny: row.deny ?? [] });
  const workspace = { roots: ['/ws'], readableRoots: [], home: '/home/u' };
  return decide({ call: { tool: 'Bash', needs: [{ action: 'command', command: row.command }] }, mode: 'default', rules, workspace, locate: [] }).verdict;
}

describe.skipIf(!fs.existsSync(data))(`shell rules of ${data}`, () => {
  const rows = fs.existsSync(data)
    ? fs.readFileSync(data, 'utf8').trim().split('\n').map((line): Row => JSON.parse(line))
    : [];

  it('is never looser than expected in tier 1 (C-R1)', () => {
    const tier = rows.filter((row) => row.tier === 1);
    const loose = tier.filter((row) => RANK[verdictOf(row)] < RANK[row.expect]);
    expect(loose.map((row) => `${row.id} want ${row.expect} got ${verdictOf(row)}: ${row.command.slice(0, 80)} (${row.why})`)).toEqual([]);
    const allowed = tier.filter((row) => row.expect === 'allow');
    const got = allowed.filter((row) => verdictOf(row) === 'allow');
    expect(got.length / allowed.length).toBeGreaterThanOrEqual(0.95);
  });

  it('denies no more than expected', () => {
    expect(rows.filter((row) => row.expect !== 'deny' && verdictOf(row) === 'deny').map((row) => row.id)).toEqual([]);
  });

  it('is hardly ever looser where arguments run programs (C-R1)', () => {
    const tier = rows.filter((row) => row.tier === 2);
    const loose = tier.filter((row) => RANK[verdictOf(row)] < RANK[row.expect]);
    expect(tier.length).toBeGreaterThan(0);
    expect(loose.length, loose.map((row) => row.id).join(' ')).toBeLessThanOrEqual(tier.length / 10);
  });
});
