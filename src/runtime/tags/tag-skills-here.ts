import { randomBytes } from 'node:crypto';
import { createModelFetch } from '../../egress/model-fetch.ts';
import { localClock } from '../../host/local-clock.ts';
import { DEMO_INFO } from '../../model/demo.ts';
import type { Model } from '../../model/model.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { IndexProgress } from '../../skills/index/work-on-roots.ts';
import type { TagOptions, TagOutcome } from '../../skills/index/tag-skills.ts';
import { chooseModel } from '../turn/choose-model.ts';
import type { LibraryParts } from '../skills/find-skills.ts';
import { openWholeView } from '../skills/whole-view.ts';
import { tagAsker, type TagCost } from './tag-asker.ts';

/** How a person has tags written. */
export interface TagsHereOptions extends Pick<TagOptions, 'limit' | 'progress'> {
  /** Is asked before the first call. `model`: `PROVIDER/MODEL`. */
  readonly confirm: (plan: { readonly skills: number; readonly calls: number; readonly model: string }) => Promise<boolean>;
  readonly indexing: (progress: IndexProgress) => void;
  readonly signal: AbortSignal;
}

/** What became of it. */
export interface TagsHere extends TagOutcome, TagCost {
  readonly model: string;
  /** Of the index. */
  readonly notices: readonly string[];
}

/**
 * Has the small model of the settings, else the model of new sessions, write tags for the skills of a folder that have none.
 * Throws key_missing where no model is set up, and `chooseModel`'s errors.
 */
export async function tagSkillsHere(cwd: string, parts: LibraryParts, { confirm, indexing, signal, ...options }: TagsHereOptions): Promise<TagsHere> {
  const model = await modelFor(cwd, parts);
  const name = `${model.info.provider}/${model.info.id}`;
  const { index, roots, visibility, close } = await openWholeView(cwd, parts, { progress: indexing, signal });
  try {
    const notices = index.takeNotices();
    if (!index.lasts) throw new SkillmintError('store_unavailable', `Tags could not be kept. ${notices.join(' ')}`);
    const { ask, cost } = tagAsker(model);
    const outcome = await index.tag(roots, { ...options, ask, visibility, signal, confirm: (skills, calls) => confirm({ skills, calls, model: name }) });
    return { ...outcome, ...cost(), model: name, notices: [...notices, ...index.takeNotices()] };
  } finally {
    await close();
  }
}

async function modelFor(cwd: string, { env, settings }: LibraryParts): Promise<Model> {
  const parts = { env, fetch: createModelFetch(env), host: { clock: localClock() }, fixedModel: undefined, settings: async () => settings, newId: (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}` };
  const { model } = await chooseModel(parts, cwd, settings.values.smallModel);
  if (model.info.provider !== DEMO_INFO.provider) return model;
  throw new SkillmintError('key_missing', 'No model is set up that could write tags. Set smallModel or model (skillmint config set smallModel PROVIDER/MODEL), or a key such as ANTHROPIC_API_KEY. See: skillmint models list');
}
