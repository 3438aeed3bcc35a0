import { SkillmintError } from '../../protocol/errors.ts';

/** The error of a skillpack that is not taken, or a skill that cannot be packed. */
export function packRefusal(message: string, cause?: unknown): SkillmintError {
  return new SkillmintError('skillpack_refused', message, { cause });
}
