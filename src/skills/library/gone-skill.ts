import { SkillmintError } from '../../protocol/errors.ts';

/** Somebody else has removed a skill that is to be changed. */
export function goneSkill(name: string, folder: string): SkillmintError {
  return new SkillmintError('skill_not_found', `There is no skill ${name} in ${folder} any more.`);
}
