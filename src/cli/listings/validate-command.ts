import path from 'node:path';
import { localTree } from '../../host/local-tree.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { fixSkill, type Fixed } from '../../skills/validate/fix-skill.ts';
import { isTarget, skillsAt, TARGETS, validateSkill, type Target, type Validation } from '../../skills/validate/validate-skill.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine, printJson, write } from '../terminal.ts';

/** What `skillmint skills validate` can be told. */
export interface ValidateFlags {
  readonly json?: boolean;
  readonly fix?: boolean;
  readonly target?: readonly string[];
}

interface Report extends Validation {
  readonly fixed?: Fixed;
}

/** `skillmint skills validate`. */
export async function validateSkills(given: string | undefined, flags: ValidateFlags): Promise<void> {
  const { folder, targets } = askedFor(given, flags.target ?? []);
  const tree = localTree();
  const at = path.resolve(folder);
  const files = flags.fix ? (await import('../../host/local-files.ts')).localFiles() : undefined;
  const reports: Report[] = [];
  const { skills, problems } = skillsAt(tree, at);
  for (const problem of problems) await write(process.stderr, `skillmint: ${oneLine(problem.path)}: ${oneLine(problem.message)}\n`);
  for (const place of skills) {
    const fixed = files && (await fixSkill(tree, files, place));
    reports.push({ ...(await validateSkill(tree, place, targets)), ...(fixed ? { fixed } : {}) });
  }
  if (flags.json) await printJson(jsonOf(reports));
  else for (const report of reports) await write(process.stdout, textOf(report, { isOnly: reports.length === 1 }));
  if (!flags.json && reports.length > 1) await write(process.stdout, `\n${reports.filter(({ ok }) => ok).length} of ${reports.length} skills are valid\n`);
  if (reports.some(({ ok }) => !ok)) process.exitCode = EXIT.refused;
}

/** Names behind `--target` that are none may be the path: `--target codex ./skill`. */
function askedFor(given: string | undefined, named: readonly string[]): { readonly folder: string; readonly targets: readonly Target[] } {
  const names = named.flatMap((each) => each.split(',')).filter((each) => each !== '');
  const others = names.filter((each) => each !== 'all' && !isTarget(each));
  const [folder = given, ...rest] = given === undefined ? others : [given, ...others];
  if (folder === undefined) throw new SkillmintError('usage', 'Which skill is to be checked? Give its folder, its SKILL.md, or a folder with skills in it.');
  if (rest.length > 0) throw new SkillmintError('usage', `There is no target ${JSON.stringify(rest[0])}. Targets are ${TARGETS.join(', ')} and all.`);
  const targets = names.includes('all') ? TARGETS : TARGETS.filter((each) => names.includes(each));
  return { folder, targets: targets.length > 0 ? targets : ['agentskills'] };
}

function jsonOf(reports: readonly Report[]): unknown {
  const [first] = reports;
  if (reports.length === 1 && first) return first;
  return { ok: reports.every(({ ok }) => ok), diagnostics: reports.flatMap(({ path: file, diagnostics }) => diagnostics.map((each) => ({ ...each, path: file }))), skills: reports };
}

function textOf({ path: file, diagnostics, targets, fixed }: Report, { isOnly }: { readonly isOnly: boolean }): string {
  const verdicts = Object.entries(targets).map(([name, { ok }]) => ({ name, text: ok ? 'ok' : 'not valid' }));
  const lines = [
    ...(fixed?.changes ?? []).map((change) => `fixed: ${oneLine(change)}`),
    ...(fixed?.refused === undefined ? [] : [`not fixed: ${oneLine(fixed.refused)}`]),
    ...diagnostics.map((finding) => findingLine(finding, sayersOf(finding, targets))),
    ...verdicts.map(({ name, text }) => (verdicts.length === 1 ? text : `${name}: ${text}`)),
  ];
  return `${(isOnly ? lines : [oneLine(file), ...lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`)]).join('\n')}\n`;
}

/** Names of the targets that say so, where not all of them do. */
function sayersOf({ code, message, severity }: SkillDiagnostic, targets: Validation['targets']): readonly string[] {
  const all = Object.entries(targets);
  const names = all.filter(([, { diagnostics }]) => diagnostics.some((each) => each.code === code && each.message === message && each.severity === severity)).map(([name]) => name);
  return names.length === all.length ? [] : names;
}

function findingLine({ severity, message, code, fix }: SkillDiagnostic, sayers: readonly string[]): string {
  return `${severity}: ${oneLine(message)} (${code})${sayers.length === 0 ? '' : ` for ${sayers.join(', ')}`}${fix === undefined ? '' : `\n  fix: ${oneLine(fix)}`}`;
}
