import { SkillmintError } from '../../protocol/errors.ts';

/** The error for a value of the index that this program has not written so: the index is made anew after it. */
export function damaged(what: string, cause?: unknown): SkillmintError {
  return new SkillmintError('store_corrupt', `${what} in the skill index cannot be read`, { cause });
}

/** The JSON in a column. Throws `store_corrupt` for what is none. */
export function storedJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(what, error);
  }
}
