import fs from 'node:fs/promises';
import path from 'node:path';
import type { Suites } from '../../evaluate/runs/plan.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { findSuites, type FoundSuites, type SuitePlaces } from '../evaluate/find-suites.ts';
import type { SkillDecision } from '../skill-agent/skill-agent.ts';
import type { EnhanceWork } from './enhance-work.ts';
import { copyCaseFiles, splitSuites, writeSuites, type SplitSuites } from './split-suites.ts';

/** Cases in two parts, and the folders in which they lie for evaluations. The agent can read neither. */
export interface Cases extends SplitSuites {
  readonly folders: { readonly learn: string; readonly held_out: string };
}

/** The cases in both parts: those that an earlier process has written, or new ones. */
export async function casesOf(work: EnhanceWork, decision: SkillDecision & { readonly skill: NonNullable<SkillDecision['skill']> }): Promise<Cases> {
  const { cases, folder } = work.now();
  const folders = { learn: path.join(folder, 'learn'), held_out: path.join(folder, 'held-out') };
  if (cases) {
    const written = (evals: string): Suites => suitesIn({ tree: work.parts.host.tree, folder: evals, name: decision.skill.name, evals })?.suites ?? { output: [], triggers: [] };
    return { learn: written(folders.learn), held_out: written(folders.held_out), folders };
  }
  for (const one of Object.values(folders)) await fs.rm(one, { recursive: true, force: true });
  const made = await learnableCases(work, decision, folders);
  const count = ({ output, triggers }: Suites): number => output.length + triggers.length;
  await work.keep({ cases: { learn: count(made.learn), held_out: count(made.held_out) } });
  return made;
}

/**
 * The skill's own cases, split, and those of the conversation, which are only learned from: what their author has read cannot judge
 * him. Both parts are kept. Rejects with `invalid_argument` for suites of the skill that are wrong.
 */
async function learnableCases({ parts, now }: EnhanceWork, { skill, cases: ofConversation }: SkillDecision & { readonly skill: NonNullable<SkillDecision['skill']> }, folders: Cases['folders']): Promise<Cases> {
  const { part, seed } = now();
  const own = suitesIn({ tree: parts.host.tree, ...skill, evals: undefined });
  const { learn, held_out } = splitSuites(only(part, own?.suites ?? { output: [], triggers: [] }), seed);
  const known = new Set([...learn.triggers, ...held_out.triggers].map(({ query }) => query.trim().toLowerCase()));
  const tasks = new Set([...learn.output, ...held_out.output].map(({ prompt }) => prompt.trim().toLowerCase()));
  const added = only(part, ofConversation);
  const all: Suites = {
    output: [...learn.output, ...added.output.filter(({ prompt }) => !tasks.has(prompt.toLowerCase()))],
    triggers: [...learn.triggers, ...added.triggers.filter(({ query }) => !known.has(query.toLowerCase()))],
  };
  for (const [into, suites] of [[folders.learn, all], [folders.held_out, held_out]] as const) {
    await fs.mkdir(into, { recursive: true, mode: 0o700 });
    if (own && parts.host.tree.list(skill.folder).some(({ name }) => name === 'evals')) await copyCaseFiles(own.evals, into);
    await writeSuites(into, skill.name, suites);
  }
  return { learn: all, held_out, folders };
}

function only(part: 'all' | 'description', suites: Suites): Suites {
  return part === 'description' ? { output: [], triggers: suites.triggers } : suites;
}

/** Undefined where there are none. */
function suitesIn({ tree, folder, name, evals }: Pick<SuitePlaces, 'tree' | 'folder' | 'name' | 'evals'>): FoundSuites | undefined {
  try {
    return findSuites({ tree, folder, name, evals, suite: 'all', only: undefined });
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'not_found') return undefined;
    throw error;
  }
}
