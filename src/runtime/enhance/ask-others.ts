import fs from 'node:fs/promises';
import path from 'node:path';
import type { EvaluationReport, QueryReport } from '../../evaluate/report/report.ts';
import { seededRandom, shuffled } from '../../evaluate/statistics/random.ts';
import { newEvaluationId } from '../evaluate/evaluation-folder.ts';
import type { EnhanceWork } from './enhance-work.ts';
import type { JudgingEvaluations, WorseMessage } from './enhancement.ts';
import { measureVersion, requireWhole } from './measure-edit.ts';
import { newlyTriggered } from './judge-edit.ts';
import type { RankedOthers } from './rank-others.ts';
import { writeSuites } from './split-suites.ts';

/** Messages that a model is asked about. */
const MOST_ASKED = 20;

/**
 * Runs the model on messages of other skills for which a turn offers something else than before: first with the edited version among
 * all skills, then, where that was loaded, with the old one. Resolves to the messages that the edited version alone takes.
 */
export async function askOthers(work: EnhanceWork, round: number, { changed, others }: RankedOthers): Promise<readonly WorseMessage[]> {
  const messages = [...new Map(changed.map((message) => [message.query.trim(), message])).values()];
  const chosen = shuffled(messages, seededRandom(work.now().seed)).slice(0, MOST_ASKED);
  if (chosen.length === 0) return [];
  if (chosen.length < messages.length) await work.keep({ warnings: [...new Set([...work.now().warnings, `The model was asked about ${chosen.length} of the ${messages.length} messages of other skills for which something else is offered now; the others were compared by the ranking alone.`])] });
  const ask = (version: 'old' | number, part: keyof JudgingEvaluations, queries: readonly string[]): Promise<readonly QueryReport[]> => loadsOf(work, { version, part, queries, others });
  const edited = await ask(round, 'others_edited', chosen.map(({ query }) => query));
  const fired = edited.filter(({ triggered }) => triggered > 0);
  if (fired.length === 0) return [];
  const before = new Map((await ask('old', 'others_old', fired.map(({ query }) => query))).map((one) => [one.query, one]));
  return fired.flatMap((now) => {
    const message = chosen.find(({ query }) => query === now.query);
    const was = before.get(now.query);
    return message && newlyTriggered(was, now) ? [{ ...message, loaded: { before: was?.triggered ?? 0, after: now.triggered, runs: now.runs } }] : [];
  });
}

async function loadsOf(work: EnhanceWork, { version, part, queries, others }: { readonly version: 'old' | number; readonly part: keyof JudgingEvaluations; readonly queries: readonly string[]; readonly others: readonly string[] }): Promise<readonly QueryReport[]> {
  const { folder, skill, judging } = work.now();
  const evals = path.join(folder, part.replace('_', '-'));
  await fs.rm(evals, { recursive: true, force: true });
  await writeSuites(evals, skill?.name ?? '', { output: [], triggers: queries.map((query, i) => ({ id: `q${i + 1}`, query, should_trigger: false })) });
  const id = judging?.[part] ?? newEvaluationId(work.parts.now());
  await work.keep({ judging: { ...judging, [part]: id } });
  const report: EvaluationReport = await measureVersion(work, { evaluation: { id, arms: { output: [], triggers: ['crowded'] }, crowd: others }, version, evals, what: `messages of other skills, ${version === 'old' ? 'old version' : 'edited version'}` });
  await work.keep({}, { [id]: report.cost_usd });
  requireWhole(report);
  return report.triggers.find(({ arm }) => arm === 'crowded')?.queries ?? [];
}
