import type { ReadTree } from '../../host/host.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { SkillSummary } from '../../protocol/skill.ts';
import { digestSkill } from '../digest.ts';
import { loadYamlReader } from '../read/load-yaml.ts';
import { rejectedDocument } from '../read/read-skill-md.ts';
import type { YamlReader } from '../read/yaml-reader.ts';
import { buildEntries, type ReadSkill, type SkillCatalogue, type Visibility } from './catalogue.ts';
import { readPlace } from './read-entry.ts';
import { skillRoots, type RootOptions } from './roots.ts';
import { summaryOf } from './skill-entry.ts';
import type { SkillProblem } from './skill-root.ts';
import { walkRoot, type FoundSkill } from './walk-root.ts';

/** What discovery needs. */
export interface DiscoverOptions extends RootOptions, Partial<Visibility> {
  /** ms, rising; for pauses and budgets. */
  readonly now: () => number;
}

/** A search for skills that can be interrupted and continued. */
export interface SkillScan {
  /** Goes on until all is searched or `budgetMs` have passed; resolves to true when nothing is left. Others get a turn every 12 ms. */
  run(limits?: { readonly budgetMs?: number }): Promise<boolean>;
  /** What was found so far. */
  catalogue(): Promise<SkillCatalogue>;
}

const SLICE_MS = 12;

/** Starts a search over all roots; nothing is read before `run`. One `run` at a time. */
export function startScan(options: DiscoverOptions): SkillScan {
  const skills: ReadSkill[] = [];
  const problems: SkillProblem[] = [];
  const search = searchAll(options, problems);
  let yaml: YamlReader | undefined;
  let complete = false;

  const readFound = async (found: FoundSkill): Promise<void> => {
    const document = readPlace(options.tree, found, yaml) ?? readPlace(options.tree, found, (yaml ??= await loadYamlReader()));
    skills.push({ found, document: document ?? rejectedDocument(found.folder, 'unreadable', 'the file cannot be read') });
  };
  return {
    run: async ({ budgetMs = Number.POSITIVE_INFINITY } = {}) => {
      const slices = timeSlices(options.now);
      const end = options.now() + budgetMs;
      while (!complete && options.now() < end) {
        const step = search.next();
        if (step.done) complete = true;
        else if (step.value) await readFound(step.value);
        await slices.pause();
      }
      return complete;
    },
    catalogue: async () => {
      const visibility: Visibility = { disabled: options.disabled ?? new Set(), denied: options.denied ?? (() => undefined) };
      const slices = timeSlices(options.now);
      const entries = await buildEntries([...skills], { tree: options.tree, visibility, pause: () => slices.pause() });
      return { entries, problems: [...problems], complete };
    },
  };
}

/** Finds all skills of all roots. Never rejects for what lies on the disk: that becomes an entry or a problem. */
export async function discoverSkills(options: DiscoverOptions): Promise<SkillCatalogue> {
  const scan = startScan(options);
  await scan.run();
  return await scan.catalogue();
}

/** The catalogue as listings show it, with the digest of every skill. */
export async function listSummaries(catalogue: SkillCatalogue, { tree, now }: { readonly tree: ReadTree; readonly now: () => number }): Promise<readonly SkillSummary[]> {
  const slices = timeSlices(now);
  const summaries: SkillSummary[] = [];
  for (const entry of catalogue.entries) {
    summaries.push(summaryOf(entry, digestSkill(tree, entry.folder).digest));
    await slices.pause();
  }
  return summaries;
}

/** Yields found skills; undefined for a step without one. */
function* searchAll(options: DiscoverOptions, problems: SkillProblem[]): Generator<FoundSkill | undefined> {
  const { roots, problems: rootProblems } = skillRoots(options);
  problems.push(...rootProblems);
  for (const root of roots) {
    try {
      for (const step of walkRoot(options.tree, root)) {
        if (step.kind === 'problem') problems.push(step.problem);
        yield step.kind === 'skill' ? step.found : undefined;
      }
    } catch (error) {
      problems.push({ path: root.folder, message: messageOf(error) });
    }
  }
}

/** Lets others run once a slice of time is used up. */
function timeSlices(now: () => number): { pause(): Promise<void> } {
  let start = now();
  return {
    pause: async () => {
      if (now() - start < SLICE_MS) return;
      await new Promise<void>((resolve) => setImmediate(resolve));
      start = now();
    },
  };
}
