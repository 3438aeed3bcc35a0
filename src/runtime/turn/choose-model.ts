import type { Settings } from '../../config/settings.ts';
import type { Model } from '../../model/model.ts';
import { DEMO_NAME } from '../../model/demo.ts';
import { defaultModelName, findLocalModel } from '../../model/listing.ts';
import { resolveModel } from '../../model/resolve.ts';
import type { Host } from '../../host/host.ts';
import type { RuntimeParts } from '../parts.ts';

/** A model, and a sentence for the person where it was not their choice. */
export interface ChosenModel {
  readonly name: string;
  readonly model: Model;
  readonly notice?: string;
}

/** What models are made with. */
export interface ModelParts extends Pick<RuntimeParts, 'fixedModel' | 'settings' | 'env' | 'fetch' | 'newId'> {
  readonly host: Pick<Host, 'clock'>;
}

const DEMO_NOTICE = 'No model is configured, so the scripted demo model answers. Set a key, for example ANTHROPIC_API_KEY or OPENAI_API_KEY, or run Ollama on this machine. See: skillmint models list';

/**
 * The model to ask: the one that is named, else that of the settings, else of the first provider with a key, else one that
 * runs on this machine, else the demo model.
 * @throws SkillmintError provider_unknown, model_unknown, key_missing
 */
export async function chooseModel(parts: ModelParts, cwd: string, named: string | undefined): Promise<ChosenModel> {
  if (parts.fixedModel) return { name: named ?? `${parts.fixedModel.info.provider}/${parts.fixedModel.info.id}`, model: parts.fixedModel };
  const { values } = await parts.settings(cwd);
  const wanted = named ?? values.model ?? defaultModelName(values.providers, parts.env);
  const unconfigured = named === undefined && values.model === undefined && wanted === DEMO_NAME;
  const name = unconfigured ? ((await findLocalModel(parts.fetch, values.providers)) ?? wanted) : wanted;
  return { name, model: modelNamed(parts, values, name), ...(unconfigured && name === DEMO_NAME ? { notice: DEMO_NOTICE } : {}) };
}

/**
 * The model of that name; nothing is asked yet.
 * @throws SkillmintError provider_unknown, model_unknown, key_missing
 */
export function modelNamed(parts: Omit<ModelParts, 'settings'>, { providers }: Pick<Settings, 'providers'>, name: string): Model {
  return parts.fixedModel ?? resolveModel(name, { providers, env: parts.env, fetch: parts.fetch, clock: parts.host.clock, ids: () => parts.newId('call'), random: Math.random });
}
