import { listModels } from '../../model/listing.ts';
import type { Model } from '../../model/model.ts';
import type { LoadedSettings } from '../../config/load-settings.ts';
import type { LiveSession } from './live-session.ts';
import type { RuntimeParts } from '../parts.ts';
import { modelNamed } from './choose-model.ts';
import { skillModel, type SkillModel } from '../skills/skill-model.ts';

/** The models of a turn. */
export interface TurnModels {
  /** The one to ask next: that of the skill which named one last, else the session's. */
  current(): Model;
  /** What a skill's `model` means here. */
  readonly ofSkill: (wanted: string | undefined) => SkillModel;
}

/** What the models of a turn are made of; `model` is the session's. */
export interface TurnModelParts {
  readonly parts: RuntimeParts;
  readonly session: LiveSession;
  readonly settings: LoadedSettings;
  readonly model: Model;
}

/** Models are made when a skill first wants them. */
export function turnModels({ parts, session, settings, model }: TurnModelParts): TurnModels {
  const { values } = settings;
  const { state } = session;
  const made = new Map<string, Model>();
  const named = (name: string): Model => {
    const known = made.get(name) ?? modelNamed(parts, values, name);
    made.set(name, known);
    return known;
  };
  return {
    current: () => {
      const wanted = [...state.skill_effects.values()].findLast((effects) => effects.model !== undefined)?.model;
      return wanted === undefined ? model : named(wanted);
    },
    ofSkill: (wanted) => skillModel(wanted, {
      current: state.model,
      settings: values,
      known: (provider) => listModels(values.providers, parts.env).filter((each) => each.provider === provider).map((each) => each.id),
      check: named,
    }),
  };
}
