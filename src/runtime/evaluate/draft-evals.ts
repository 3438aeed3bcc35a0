import fs from 'node:fs/promises';
import path from 'node:path';
import { draftSuites } from '../../evaluate/suites/draft-suite.ts';
import { DEMO_INFO } from '../../model/demo.ts';
import { PermissionError, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import { carryTrust } from '../../skills/trust/edit-trust.ts';
import { namedSkillOrFolder } from '../library/named-skill.ts';
import { newFilesPatch, type Approve } from '../library/proposed-files.ts';
import type { RuntimeParts } from '../parts.ts';
import { findSkills } from '../skills/find-skills.ts';
import { chooseModel } from '../turn/choose-model.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import { judgeOf } from './judge-model.ts';

const MOST_TEXT = 60_000;
const SYSTEM = 'You write evaluations of Agent Skills.';

/** Suites that were drafted. */
export interface DraftedEvals {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly cases: number;
  readonly queries: number;
  readonly model: string;
}

/** What suites are drafted for. */
export interface DraftEvalsOptions extends Pick<EvaluateOptions, 'skill' | 'cwd' | 'evals' | 'model' | 'signal'> {
  /** Is shown what is to be written, and decides; all is taken when left out. */
  readonly approve?: Approve;
}

/** Has the model draft suites for a skill that has none, and writes them. Throws skill_not_found, skill_exists, permission_denied, key_missing, model_failed, output_invalid. */
export async function draftEvals(parts: RuntimeParts, options: DraftEvalsOptions): Promise<DraftedEvals> {
  const cwd = path.resolve(options.cwd ?? '.');
  if (options.skill === undefined) throw new SkillmintError('usage', 'Name the skill that evals are to be drafted for.');
  const { tree, files } = parts.host;
  const catalogue = await findSkills(cwd, { ...parts, tree, settings: await parts.settings(cwd) }, parts.skillViews.listing);
  const skill = await namedSkillOrFolder({ catalogue, tree, cwd }, options.skill);
  const isOwn = ['user', 'project', 'path'].includes(skill.source);
  if (options.evals === undefined && !isOwn) throw new SkillmintError('permission_denied', `${skill.id} is not yours to change: have the draft written elsewhere with --evals FOLDER.`);
  const folder = options.evals === undefined ? path.join(skill.folder, 'evals') : path.resolve(cwd, options.evals);
  const targets = { output: path.join(folder, 'evals.json'), triggers: path.join(folder, 'triggers.json') };
  for (const file of Object.values(targets)) await refuseExisting(file);
  const { model, name } = await chooseModel(parts, cwd, options.model);
  if (model.info.provider === DEMO_INFO.provider) throw new SkillmintError('key_missing', 'No model is set up that could draft evals. Set model (skillmint config set model PROVIDER/MODEL), or a key such as ANTHROPIC_API_KEY.');
  const ask = judgeOf(model);
  const text = new TextDecoder().decode(tree.read(skill.path)).slice(0, MOST_TEXT);
  const drafted = await draftSuites({ name: skill.name, text }, async (prompt) => {
    const reply = await ask({ system: SYSTEM, prompt }, options.signal ?? new AbortController().signal);
    if (options.signal?.aborted) throw new SkillmintError('interrupted', 'Interrupted; nothing was written.');
    if (reply.kind === 'failed') throw new SkillmintError('model_failed', `${name} drafted no evals: ${reply.message} Nothing was written.`);
    return reply.text;
  });
  if (typeof drafted === 'string') throw new SkillmintError('output_invalid', `What ${name} drafted cannot be used: ${drafted} Nothing was written.`);
  const texts = [[targets.output, drafted.output], [targets.triggers, drafted.triggers]] as const;
  const proposed = texts.map(([file, suite]) => ({ file, bytes: new TextEncoder().encode(`${JSON.stringify(suite, null, 2)}\n`) }));
  const patch = newFilesPatch(proposed.map(({ file, bytes }) => ({ path: path.basename(file), bytes })));
  if (options.approve && !(await options.approve({ what: `evals of ${skill.name}`, folder, patch }))) throw new PermissionError('No evals were written, as you wish.');
  const before = digestSkill(tree, skill.folder).digest;
  for (const { file, bytes } of proposed) await files.write(file, bytes);
  // Data for evaluations makes nothing run, and the person has asked for it.
  if (options.evals === undefined) await carryTrust({ tree, files, dataFolder: parts.dataFolder, now: parts.now }, { ...skill, file: skill.path }, { before, after: digestSkill(tree, skill.folder).digest });
  return { files: Object.values(targets), cases: drafted.cases, queries: drafted.queries, model: name };
}

async function refuseExisting(file: string): Promise<void> {
  try {
    await fs.stat(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return;
    throw error;
  }
  throw new SkillmintError('skill_exists', `${file} is there already, and a draft does not replace it: move it away, or use another folder with --evals.`);
}
