import type { ReadTree } from '../../host/host.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { SkillSummary } from '../../protocol/skill.ts';
import { buildEntries, type ReadSkill, type SkillCatalogue, type Visibility } from './catalogue.ts';
import { timeSlices } from './time-slices.ts';
import { skillRoots, type RootOptions } from './roots.ts';
import type { SkillCache } from './skill-cache.ts';
import { summaryOf } from './skill-entry.ts';
import { createSkillReader } from './skill-reader.ts';
import type { SkillProblem } from './skill-root.ts';
import type { WalkStep } from './walk-root.ts';
import { walkSource } from './walk-source.ts';

/** What discovery needs. */
export interface DiscoverOptions extends RootOptions, Partial<Visibility> {
  /** ms, rising; for pauses and budgets. */
  readonly now: () => number;
  /** What earlier searches have read; without it everything is read. */
  readonly cache?: SkillCache;
  /** Every entry is to have its digest. */
  readonly digests?: boolean;
  /** Called now and then with the number of skills that were read so far. */
  readonly progress?: (done: number) => void;
}

/** A search for skills that can be interrupted and continued. */
export interface SkillScan {
  /** Goes on until all is searched or `budgetMs` have passed; resolves to true when nothing is left. Others get a turn every 12 ms. */
  run(limits?: { readonly budgetMs?: number }): Promise<boolean>;
  /** What was found so far. */
  catalogue(): Promise<SkillCatalogue>;
  /** Keeps what was found for the next search. Only for one that is complete. */
  keep(): Promise<SkillProblem | undefined>;
}

/** Starts a search over all roots; nothing is read before `run`. One `run` at a time. */
export function startScan(options: DiscoverOptions): SkillScan {
  const skills: ReadSkill[] = [];
  const problems: SkillProblem[] = [];
  const search = searchAll(options, problems);
  const reader = createSkillReader(options);
  let complete = false;

  return {
    run: async ({ budgetMs = Number.POSITIVE_INFINITY } = {}) => {
      const slices = timeSlices(options.now);
      const end = options.now() + budgetMs;
      while (!complete && options.now() < end) {
        const step = search.next();
        if (step.done) complete = true;
        else if (step.value.kind === 'skill') {
          const skill = reader.read(step.value);
          skills.push(skill instanceof Promise ? await skill : skill);
        }
        if (!slices.isUp()) continue;
        options.progress?.(skills.length);
        await slices.rest();
      }
      return complete;
    },
    catalogue: async () => {
      const visibility: Visibility = { disabled: options.disabled ?? new Set(), denied: options.denied ?? (() => undefined), offersMeta: options.offersMeta === true };
      const slices = timeSlices(options.now);
      const entries = await buildEntries([...skills], { visibility, digests: options.digests === true, digestOf: reader.digest, slices });
      return { entries, problems: [...problems], complete };
    },
    keep: async () => options.cache?.save(skills),
  };
}

/** Finds all skills of all roots. Never rejects for what lies on the disk: that becomes an entry or a problem. */
export async function discoverSkills(options: DiscoverOptions): Promise<SkillCatalogue> {
  const scan = startScan(options);
  await scan.run();
  const catalogue = await scan.catalogue();
  const notKept = await scan.keep();
  return notKept ? { ...catalogue, notKept } : catalogue;
}

/** The catalogue as listings show it, with the digest of every skill; those that the search did not ask for are taken now. */
export async function listSummaries(catalogue: SkillCatalogue, { tree, now }: { readonly tree: ReadTree; readonly now: () => number }): Promise<readonly SkillSummary[]> {
  const slices = timeSlices(now);
  const summaries: SkillSummary[] = [];
  for (const entry of catalogue.entries) {
    summaries.push(summaryOf(entry, entry.digest ?? (await import('../digest.ts')).digestSkill(tree, entry.folder).digest));
    if (slices.isUp()) await slices.rest();
  }
  return summaries;
}

/** Walks all roots; what could not be searched goes to `problems`. */
function* searchAll(options: DiscoverOptions, problems: SkillProblem[]): Generator<WalkStep> {
  const { roots, problems: rootProblems } = skillRoots(options);
  problems.push(...rootProblems);
  for (const root of roots) {
    try {
      for (const step of walkSource(options.tree, root)) {
        if (step.kind === 'problem') problems.push(step.problem);
        yield step;
      }
    } catch (error) {
      problems.push({ path: root.folder, message: messageOf(error) });
    }
  }
}
