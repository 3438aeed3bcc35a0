import type { Settings } from '../../config/settings.ts';
import { SkillmintError } from '../../protocol/errors.ts';

/** Names that skills use for the small model of whatever family. */
const SMALL = new Set(['haiku', 'small', 'fast', 'mini', 'flash']);

/** What a skill's `model` means in a session. */
export type SkillModel = { readonly kind: 'same' } | { readonly kind: 'other'; readonly name: string } | { readonly kind: 'unknown'; readonly why: string };

/** What it takes to find out. */
export interface SkillModelOptions {
  /** `PROVIDER/MODEL` of the session. */
  readonly current: string;
  readonly settings: Pick<Settings, 'smallModel'>;
  /** Models of a provider, newest first. */
  readonly known: (provider: string) => readonly string[];
  /** Throws a SkillmintError for a model that cannot be asked. */
  readonly check: (name: string) => void;
}

/**
 * The model that a skill asks for: `PROVIDER/MODEL`, an id of the session's provider, or an alias (`opus`, `haiku`): the
 * newest model of the session's provider that has the word in its id, for the small ones also `smallModel` of the
 * settings. `inherit` is the session's own. What cannot be asked is said, and the session's model goes on.
 */
export function skillModel(wanted: string | undefined, options: SkillModelOptions): SkillModel {
  const name = wanted?.trim() ?? '';
  if (name === '' || /^(?:inherit|default)$/i.test(name)) return { kind: 'same' };
  const candidate = candidateFor(name, options);
  if (candidate === undefined) return { kind: 'unknown', why: `no model here goes by the name ${name}` };
  if (candidate === options.current) return { kind: 'same' };
  try {
    options.check(candidate);
    return { kind: 'other', name: candidate };
  } catch (error) {
    if (error instanceof SkillmintError) return { kind: 'unknown', why: error.message };
    throw error;
  }
}

function candidateFor(name: string, { current, settings, known }: SkillModelOptions): string | undefined {
  if (name.includes('/')) return name;
  const provider = current.slice(0, current.indexOf('/'));
  const ids = known(provider);
  const plain = name.toLowerCase();
  const id = ids.find((each) => each === name) ?? ids.find((each) => each.toLowerCase().split(/[-.:_]/).includes(plain));
  if (id !== undefined) return `${provider}/${id}`;
  return SMALL.has(plain) ? settings.smallModel : undefined;
}
