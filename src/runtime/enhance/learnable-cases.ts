import fs from 'node:fs/promises';
import path from 'node:path';
import type { Suites } from '../../evaluate/runs/plan.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { findSuites } from '../evaluate/find-suites.ts';
import type { SkillDecision } from '../skill-agent/skill-agent.ts';
import type { EnhanceWork } from './enhance-work.ts';
import { copyCaseFiles, splitSuites, writeSuites, type SplitSuites } from './split-suites.ts';

/** Cases in two parts, and the folders in which they lie for evaluations. The agent can read neither. */
export interface Cases extends SplitSuites {
  readonly folders: { readonly learn: string; readonly held_out: string };
}

/**
 * The skill's own cases, split, and those of the conversation, which are only learned from: what their author has read cannot judge
 * him. Both parts are kept. Rejects with `invalid_argument` for suites of the skill that are wrong.
 */
export async function learnableCases({ parts, now }: EnhanceWork, { skill, cases: ofConversation }: SkillDecision & { readonly skill: NonNullable<SkillDecision['skill']> }): Promise<Cases> {
  const { folder, part, seed } = now();
  const own = ownSuites(parts.host.tree, skill);
  const { learn, held_out } = splitSuites(only(part, own?.suites ?? { output: [], triggers: [] }), seed);
  const known = new Set([...learn.triggers, ...held_out.triggers].map(({ query }) => query.trim().toLowerCase()));
  const tasks = new Set([...learn.output, ...held_out.output].map(({ prompt }) => prompt.trim().toLowerCase()));
  const added = only(part, ofConversation);
  const all: Suites = {
    output: [...learn.output, ...added.output.filter(({ prompt }) => !tasks.has(prompt.toLowerCase()))],
    triggers: [...learn.triggers, ...added.triggers.filter(({ query }) => !known.has(query.toLowerCase()))],
  };
  const folders = { learn: path.join(folder, 'learn'), held_out: path.join(folder, 'held-out') };
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

/** Undefined where the skill has none. */
function ownSuites(tree: Parameters<typeof findSuites>[0]['tree'], { folder, name }: { readonly folder: string; readonly name: string }): ReturnType<typeof findSuites> | undefined {
  try {
    return findSuites({ tree, folder, name, evals: undefined, suite: 'all', only: undefined });
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'not_found') return undefined;
    throw error;
  }
}
