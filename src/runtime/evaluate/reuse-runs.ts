import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { runFolder } from '../../evaluate/report/anthropic-files.ts';
import type { PlannedRun } from '../../evaluate/runs/plan.ts';
import type { RunRecord } from '../../evaluate/runs/record.ts';
import { SUITE_FILES } from '../../evaluate/suites/suite-files.ts';
import { systemCode } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import { listSkillFiles } from '../../skills/files.ts';
import { VERSION } from '../../version.ts';
import type { RuntimeParts } from '../parts.ts';
import { evaluationFolder, type Manifest, type SkillCopy } from './evaluation-folder.ts';
import { manifestsOf } from './known-evaluations.ts';
import { readRecords } from './run-log.ts';

/** They decide which runs there are, not what comes out of one. */
const NOT_SEEN: ReadonlySet<string> = new Set([...SUITE_FILES, 'baseline.json']);
/** Behind the name of a model there may be another one after some time, ms. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1_000;

/** Which evaluation is looked at. */
export interface KeyedEvaluation {
  readonly parts: RuntimeParts;
  readonly manifest: Manifest;
  /** Of the evaluation. */
  readonly folder: string;
}

/**
 * Gives each run of a plan a key of all that decides what comes out: case, files, skill, model, judge, seed, number, rules, settings and
 * version of the program. Runs in a crowd get none.
 */
export async function withKeys({ parts, manifest, folder }: KeyedEvaluation, plan: readonly PlannedRun[]): Promise<readonly PlannedRun[]> {
  const { tree } = parts.host;
  const { suites, skill, against, model, judge, seed, allow, deny, sandbox } = manifest;
  const { values } = await parts.settings(manifest.cwd);
  const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');
  const content = (copy: SkillCopy | undefined): unknown => copy && { name: copy.name, trusted: copy.trusted, digest: digestSkill(tree, copy.folder).digest };
  const contents = { without: null, new: content(skill), old: content(against) };
  const evals = listSkillFiles(tree, path.join(folder, 'evals')).files.filter(({ path: file }) => !NOT_SEEN.has(path.basename(file))).map(({ path: file, realPath }) => [file, createHash('sha256').update(tree.read(realPath)).digest('hex')]);
  const shared = hash({ version: VERSION, model, seed, allow, deny, sandbox, values, evals });
  const entries = new Map<string, unknown>([...suites.output.map((entry) => [`output/${entry.id}`, { ...entry, id: '', name: '', judge: entry.expectations.some(({ kind }) => kind === 'judged') ? judge : '' }] as const), ...suites.triggers.map((entry) => [`triggers/${entry.id}`, { ...entry, id: '' }] as const)]);
  return plan.map((planned) => (planned.arm === 'crowded' ? planned : { ...planned, key: hash([shared, entries.get(`${planned.suite}/${planned.entry}`), contents[planned.arm], planned.number]) }));
}

/**
 * Takes over, with their files, runs of earlier evaluations that have the keys of runs without the skill or with its old version. What is
 * measured, the skill as it is, always runs anew.
 */
export async function takeOver({ parts, manifest, folder }: KeyedEvaluation, plan: readonly PlannedRun[], keep: (record: RunRecord) => Promise<void>): Promise<readonly RunRecord[]> {
  const wanted = new Map(plan.flatMap((planned) => (planned.key !== undefined && (planned.arm === 'without' || planned.arm === 'old') ? [[planned.key, planned] as const] : [])));
  const taken: RunRecord[] = [];
  for (const other of wanted.size === 0 ? [] : await manifestsOf(parts.dataFolder)) {
    if (wanted.size === 0) break;
    if (other.id === manifest.id || other.model !== manifest.model || parts.now() - Date.parse(other.time) > LONGEST_MS) continue;
    const from = evaluationFolder(parts.dataFolder, other.id);
    for (const record of await readRecords(path.join(from, 'runs.jsonl'))) {
      const planned = record.kind === 'run' && record.outcome === 'measured' && record.key !== undefined ? wanted.get(record.key) : undefined;
      if (!planned || record.kind !== 'run' || !(await copied(path.join(from, runFolder(record)), path.join(folder, runFolder(planned))))) continue;
      const own: RunRecord = { ...record, ...planned, reused: record.reused ?? other.id };
      await keep(own);
      taken.push(own);
      wanted.delete(record.key ?? '');
    }
  }
  return taken;
}

/** False where the files are gone. */
async function copied(from: string, to: string): Promise<boolean> {
  try {
    await fs.rm(to, { recursive: true, force: true });
    await fs.cp(from, to, { recursive: true });
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
