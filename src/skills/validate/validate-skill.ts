import path from 'node:path';
import { parseHooks } from '../../hooks/parse-hooks.ts';
import type { ReadTree } from '../../host/host.ts';
import { SkillmintError, systemCode } from '../../protocol/errors.ts';
import type { SkillDiagnostic } from '../../protocol/skill.ts';
import type { SkillPlace } from '../discover/read-entry.ts';
import type { SkillProblem } from '../discover/skill-root.ts';
import { walkRoot } from '../discover/walk-root.ts';
import { whyUnreadable } from '../unreadable.ts';
import { judgeStandard } from './agentskills.ts';
import { bodyRules } from './body-rules.ts';
import { judgeClaudeAi } from './claude-ai.ts';
import { judgeClaudeCode } from './claude-code.ts';
import { judgeCodex } from './codex.ts';
import { judgeGeminiCli } from './gemini-cli.ts';
import { referenceRules } from './reference-rules.ts';
import { readSubject, type Subject } from './subject.ts';

/** Who a skill is checked for. */
export type Target = 'agentskills' | 'claude-code' | 'claude.ai' | 'codex' | 'gemini-cli';

/** The judgement of one target: `ok` when no diagnostic is an error. */
export interface Verdict {
  readonly ok: boolean;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** The judgement on a skill: what any of the targets found, each finding once, and what each of them says. */
export interface Validation extends Verdict {
  /** Absolute path of the SKILL.md. */
  readonly path: string;
  readonly targets: Readonly<Partial<Record<Target, Verdict>>>;
}

const JUDGES: Readonly<Record<Target, (subject: Subject) => readonly SkillDiagnostic[]>> = {
  agentskills: judgeStandard,
  'claude-code': judgeClaudeCode,
  'claude.ai': judgeClaudeAi,
  codex: judgeCodex,
  'gemini-cli': judgeGeminiCli,
};

/** All targets, the open standard first. */
export const TARGETS: readonly Target[] = ['agentskills', 'claude-code', 'claude.ai', 'codex', 'gemini-cli'];

/** True for the name of a target. */
export function isTarget(name: string): name is Target {
  return Object.hasOwn(JUDGES, name);
}

/** Checks a skill for each of the targets, and for what its readers stumble over. */
export async function validateSkill(tree: ReadTree, place: SkillPlace, targets: readonly Target[] = ['agentskills']): Promise<Validation> {
  const subject = await readSubject(tree, place);
  const shared = subject.document.status === 'rejected' ? [] : [...hookRules(subject), ...bodyRules(subject), ...referenceRules(subject)];
  const verdicts = targets.map((target): [Target, Verdict] => {
    const diagnostics = [...JUDGES[target](subject), ...shared];
    return [target, { ok: diagnostics.every(({ severity }) => severity !== 'error'), diagnostics }];
  });
  return {
    path: place.file,
    ok: verdicts.every(([, { ok }]) => ok),
    diagnostics: together(verdicts.flatMap(([, { diagnostics }]) => diagnostics)),
    targets: Object.fromEntries(verdicts),
  };
}

/** What of the field `hooks` cannot be understood. */
function hookRules({ document: { frontmatter } }: Subject): readonly SkillDiagnostic[] {
  return frontmatter.hooks === undefined ? [] : parseHooks(frontmatter.hooks).diagnostics;
}

const SEVERITIES: readonly SkillDiagnostic['severity'][] = ['error', 'warning', 'info'];

/** Each finding once, as grave as anybody takes it. */
function together(all: readonly SkillDiagnostic[]): readonly SkillDiagnostic[] {
  const found = new Map<string, SkillDiagnostic>();
  for (const each of all) {
    const key = `${each.code} ${each.message}`;
    const known = found.get(key);
    if (!known || SEVERITIES.indexOf(each.severity) < SEVERITIES.indexOf(known.severity)) found.set(key, each);
  }
  return [...found.values()];
}

/** The skills that a path means, and what below it could not be searched. */
export interface SkillsAt {
  readonly skills: readonly SkillPlace[];
  readonly problems: readonly SkillProblem[];
}

/**
 * Finds the skills that a path means: the folder of a skill, its SKILL.md, or a folder with skills somewhere below it.
 * `at` is absolute. Throws `not_found` when there is none, and when the path cannot be read.
 */
export function skillsAt(tree: ReadTree, at: string): SkillsAt {
  try {
    if (tree.stat(at).kind === 'file') return { skills: [{ folder: path.dirname(at), file: at }], problems: [] };
    const [name] = tree.list(at).map((entry) => entry.name).filter((each) => each.toLowerCase() === 'skill.md').sort();
    if (name !== undefined) return { skills: [{ folder: at, file: path.join(at, name) }], problems: [] };
    const steps = [...walkRoot(tree, { folder: at, source: 'path', namedBy: undefined })];
    const skills = steps.flatMap((step) => (step.kind === 'skill' ? [{ folder: step.found.folder, file: step.found.file }] : []));
    const problems = steps.flatMap((step) => (step.kind === 'problem' ? [step.problem] : []));
    if (skills.length > 0) return { skills, problems };
  } catch (error) {
    throw new SkillmintError('not_found', systemCode(error) === 'ENOENT' ? `${at} does not exist.` : `${at} cannot be read as a skill: ${whyUnreadable(error)}`, { cause: error });
  }
  throw new SkillmintError('not_found', `${at} holds no SKILL.md; give the folder of a skill, or one with skills in it`);
}
