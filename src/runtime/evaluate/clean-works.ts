import fs from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../host/paths.ts';
import { namesIn } from '../../host/read-if-there.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { removeSession } from '../agents/remove-session.ts';
import { enhancementFolder, knownEnhancements, withEnhancement } from '../enhance/enhancement-folder.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import type { CleanedWorks } from './cleaned-works.ts';
import { evaluationFolder, withEvaluation, type Manifest } from './evaluation-folder.ts';
import { manifestsOf } from './known-evaluations.ts';
import { readRecords } from './run-log.ts';

/** Evaluations, and enhancements, that are kept unless the setting `evaluate.keep` says otherwise. */
const USUAL_KEEP = 50;
/** Drafts of the skill agent that did not become a skill are kept so long, ms. */
const DRAFT_MS = 7 * 24 * 60 * 60 * 1_000;
const PAGE = 500;

/**
 * Removes all evaluations and enhancements but the newest `keep` of each, with the sessions of their runs, and old drafts. Without
 * `keep` the settings of the folder say how many; evaluations of an enhancement go with it. What a process works on stays, and so do sessions of runs that a newer evaluation has taken over.
 */
export async function cleanWorks(turns: TurnParts, { cwd, keep: wanted }: { readonly cwd: string; readonly keep?: number }): Promise<CleanedWorks> {
  const set = (await turns.parts.settings(cwd)).values.evaluate?.keep ?? USUAL_KEEP;
  if (wanted === undefined && set === 0) return { evaluations: 0, enhancements: 0, sessions: 0, drafts: 0 };
  const keep = wanted ?? set;
  if (!Number.isSafeInteger(keep) || keep < 0) throw new SkillmintError('invalid_argument', 'So many evaluations as are kept have to be a whole number of at least 0.');
  const { dataFolder } = turns.parts;
  let enhancements = 0;
  for (const { id } of (await knownEnhancements(dataFolder)).slice(keep)) {
    const folder = enhancementFolder(dataFolder, id);
    if (await removeIdle(folder, (work) => withEnhancement(folder, id, work))) enhancements += 1;
  }
  const gone = await goneEvaluations(dataFolder, keep);
  const taken = await takenSessions(dataFolder, new Set(gone.map(({ id }) => id)));
  let [evaluations, sessions] = [0, 0];
  for (const { id } of gone) {
    const folder = evaluationFolder(dataFolder, id);
    const isGone = await removeIdle(folder, (work) => withEvaluation(folder, id, async () => {
      sessions += await removeRuns(turns, id, taken);
      await work();
    }));
    if (isGone) evaluations += 1;
  }
  return { evaluations, enhancements, sessions, drafts: await removeDrafts(turns) };
}

/** Those of enhancements that are no more, and, of the others, those beyond the newest. */
async function goneEvaluations(dataFolder: string, keep: number): Promise<readonly Manifest[]> {
  const all = await manifestsOf(dataFolder);
  const works = path.dirname(enhancementFolder(dataFolder, 'any'));
  const left = new Set(await namesIn(works));
  const enhancementOf = ({ path: skill }: Manifest): string | undefined => (isInside(works, skill) ? path.relative(works, skill).split(path.sep)[0] : undefined);
  const own = all.filter((manifest) => enhancementOf(manifest) === undefined);
  return [...own.slice(keep), ...all.filter((manifest) => {
    const enhancement = enhancementOf(manifest);
    return enhancement !== undefined && !left.has(enhancement);
  })];
}

/** Sessions of runs that an evaluation which stays has taken over. */
async function takenSessions(dataFolder: string, gone: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const { id } of await manifestsOf(dataFolder)) {
    if (gone.has(id)) continue;
    for (const record of await readRecords(path.join(evaluationFolder(dataFolder, id), 'runs.jsonl'))) if (record.kind === 'run' && record.reused !== undefined) taken.add(record.session_id);
  }
  return taken;
}

async function removeRuns(turns: TurnParts, evaluation: string, taken: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (let offset = 0; ;) {
    const found = await turns.parts.store.list({ task: evaluation, limit: PAGE, offset });
    for (const { session_id } of found) {
      if (!taken.has(session_id) && (await isRemoved(turns, session_id))) removed += 1;
      else offset += 1;
    }
    if (found.length < PAGE) return removed;
  }
}

/** False for one that is in use. */
async function isRemoved(turns: TurnParts, sessionId: string): Promise<boolean> {
  try {
    await removeSession(turns, sessionId);
    return true;
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'session_busy') return false;
    throw error;
  }
}

/** Removes a folder, unless another process works on it: then false. */
async function removeIdle(folder: string, locked: (work: () => Promise<void>) => Promise<void>): Promise<boolean> {
  try {
    await locked(async () => {
      for (const name of await namesIn(folder)) if (name !== 'lock') await fs.rm(path.join(folder, name), { recursive: true, force: true });
    });
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'session_busy') return false;
    throw error;
  }
  await fs.rm(folder, { recursive: true, force: true });
  return true;
}

async function removeDrafts({ parts }: TurnParts): Promise<number> {
  const root = path.join(parts.workFolder, 'drafts');
  let removed = 0;
  for (const place of await namesIn(root)) {
    for (const name of await namesIn(path.join(root, place))) {
      const draft = path.join(root, place, name);
      if (parts.now() - (await fs.stat(draft)).mtimeMs < DRAFT_MS) continue;
      await fs.rm(draft, { recursive: true, force: true });
      removed += 1;
    }
  }
  return removed;
}
