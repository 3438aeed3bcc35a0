import type { AgentFacts, SkillVerdict } from '../../protocol/events.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import { matchesSegment } from '../../util/glob.ts';

type Permissions = AgentFacts['skill_permissions'];

const STRICTNESS: readonly SkillVerdict[] = ['allow', 'ask', 'deny'];

/** What an agent's patterns say of a skill with these names: in each map the pattern with the most letters decides, and of all maps the strictest. */
export function skillVerdict(permissions: Permissions, names: readonly string[]): SkillVerdict {
  const verdicts = (permissions ?? []).map((map) => verdictOf(map, names));
  return STRICTNESS.findLast((verdict) => verdicts.includes(verdict)) ?? 'allow';
}

function verdictOf(map: Readonly<Record<string, SkillVerdict>>, names: readonly string[]): SkillVerdict {
  const letters = (pattern: string): number => pattern.replaceAll('*', '').length;
  const fitting = Object.entries(map).filter(([pattern]) => names.some((name) => matchesSegment(pattern, name)));
  const [best] = fitting.sort(([a, one], [b, other]) => letters(b) - letters(a) || STRICTNESS.indexOf(other) - STRICTNESS.indexOf(one));
  return best?.[1] ?? 'allow';
}

/** The skills without those that the agent's patterns deny. */
export function permittedSkills(view: SkillView, permissions: Permissions): SkillView {
  if (!permissions?.some((map) => Object.values(map).includes('deny'))) return view;
  const isDenied = ({ name, id }: SkillEntry): boolean => skillVerdict(permissions, [name, id]) === 'deny';
  return {
    get total() { return view.total; },
    get complete() { return view.complete; },
    problems: view.problems,
    takeNotices: () => view.takeNotices(),
    async resolve(name) {
      const found = await view.resolve(name);
      return found.kind === 'found' && isDenied(found.entry) ? { kind: 'unusable', entry: found.entry, reason: 'the file of this sub-agent denies it' } : found;
    },
    rank: async (text, k) => (await view.rank(text, k)).filter(({ entry }) => !isDenied(entry)),
    withPaths: async () => (await view.withPaths()).filter((entry) => !isDenied(entry)),
  };
}
