import path from 'node:path';
import { costOf } from '../../evaluate/runs/execute-runs.ts';
import { planRuns } from '../../evaluate/runs/plan.ts';
import { namesIn, textIfThere } from '../../host/read-if-there.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { isJsonObject, parseJson, type JsonObject } from '../../protocol/json.ts';
import { evaluationFolder, readManifest, type Manifest } from './evaluation-folder.ts';
import { readRecords } from './run-log.ts';

/** An evaluation as its files tell it. */
export interface KnownEvaluation {
  readonly id: string;
  /** Name of the skill. */
  readonly skill: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly model: string;
  /** Nothing is left to be done. */
  readonly finished: boolean;
  /** Runs that were measured, of so many. */
  readonly done: number;
  readonly planned: number;
  /** USD, as far as prices are known. */
  readonly cost_usd: number;
}

/** All evaluations of a data folder, the newest first. Folders of other versions are left out. */
export async function knownEvaluations(dataFolder: string): Promise<readonly KnownEvaluation[]> {
  const known: KnownEvaluation[] = [];
  for (const manifest of await manifestsOf(dataFolder)) known.push(await progressOf(evaluationFolder(dataFolder, manifest.id), manifest));
  return known;
}

/** What all evaluations of a data folder were begun with, the newest first. Folders of other versions are left out. */
export async function manifestsOf(dataFolder: string): Promise<readonly Manifest[]> {
  const known: Manifest[] = [];
  for (const id of (await namesIn(path.dirname(evaluationFolder(dataFolder, 'any')))).toSorted().toReversed()) {
    const manifest = await readManifest(dataFolder, id).catch((error: unknown) => {
      if (error instanceof SkillmintError) return undefined;
      throw error;
    });
    if (manifest) known.push(manifest);
  }
  return known;
}

/** One of them, with its report where there is one. Rejects with `not_found` and `io`. */
export async function knownEvaluation(dataFolder: string, id: string): Promise<KnownEvaluation & { readonly report?: JsonObject }> {
  const manifest = await readManifest(dataFolder, id);
  const folder = evaluationFolder(dataFolder, id);
  const report = parseJson(await textIfThere(path.join(folder, 'report.json')));
  return { ...(await progressOf(folder, manifest)), ...(isJsonObject(report) ? { report } : {}) };
}

async function progressOf(folder: string, { id, skill, time, model, suites, arms, runs, seed }: Manifest): Promise<KnownEvaluation> {
  const records = await readRecords(path.join(folder, 'runs.jsonl'));
  const made = new Map(records.flatMap((record) => (record.kind === 'run' ? [[record.run, record] as const] : [])));
  const compared = records.flatMap((record) => (record.kind === 'comparison' ? [record.judged.cost_usd ?? 0] : []));
  return {
    id, time, model, skill: skill.name,
    finished: (await namesIn(folder)).includes('finished'),
    done: [...made.values()].filter(({ outcome }) => outcome === 'measured').length,
    planned: planRuns({ suites, arms, runs, seed }).length,
    cost_usd: costOf([...made.values()]) + compared.reduce((sum, cost) => sum + cost, 0),
  };
}
