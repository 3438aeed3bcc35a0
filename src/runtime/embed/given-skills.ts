import type { GivenSkill, GivenSkills, SkillSource } from './given-skill.ts';

/** Skills that are given, laid into folders when somebody asks for them. */
export function givenSkills(skills: readonly GivenSkill[], sources: readonly SkillSource[]): GivenSkills {
  let opened: Promise<GivenSkills> | undefined;
  const open = (): Promise<GivenSkills> => (opened ??= import('./lay-skills.ts').then(({ layingSkills }) => layingSkills(skills, sources)));
  return { roots: async (cwd) => (await open()).roots(cwd), close: async () => (await opened)?.close() };
}
