import type { TrustDifference } from '../../skills/trust/trust-difference.ts';
import { oneLine, printable, type palette } from '../terminal.ts';
import type { ExaminedSkill } from '../../runtime/library/examined-skill.ts';

type Paint = ReturnType<typeof palette>;

/** What a person reads before they trust a skill: all of it, however long, so that nothing can hide at the end. */
export function trustDialog({ skill, verdict, report, difference }: ExaminedSkill, paint: Paint): string {
  const { runs, grants, hooks, commands, overrides, network, gaps, files } = report;
  const sections = [
    section('Commands that run when it is loaded', commands, paint),
    section('Tools it may use without a question', grants, paint),
    section('Hooks', hooks, paint),
    section('What it changes for the turn', overrides, paint),
    section(`Files that can run (of ${Object.keys(files).length} in all)`, runs.map(({ path, why }) => `${path}  (${why})`), paint),
    ...(network.length > 0 ? [section('Looks like a use of the network; only a hint', network, paint)] : []),
    ...(difference ? differenceSections(difference, paint) : []),
    ...(gaps.length > 0 ? [section('Cannot be checked for changes', gaps, paint)] : []),
  ];
  const head = [`${paint.bold(oneLine(skill.id))}: ${verdict.why}`, oneLine(skill.description), paint.dim(oneLine(skill.folder)), paint.dim(report.digest)];
  return `\n${[...head, ...sections].join('\n')}\n\n`;
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  if (lines.length === 0) return `${title}: ${paint.dim('none')}`;
  const shown = lines.map((line) => printable(line).split('\n').map((part) => `    ${part}`).join('\n'));
  return [paint.bold(`${title}:`), ...shown].join('\n');
}

const KINDS: Readonly<Record<string, string>> = { runs: 'files that can run', grants: 'tools', hooks: 'hooks', commands: 'commands', overrides: 'changes for the turn' };

function differenceSections({ files, claims }: TrustDifference, paint: Paint): readonly string[] {
  const marked = (mark: string, lines: readonly string[]): readonly string[] => lines.map((line) => `${mark} ${line}`);
  const changedFiles = [...marked('+', files.added), ...marked('-', files.removed), ...marked('~', files.changed)];
  const parts = Object.entries(claims).map(([kind, { added, removed }]) => section(`Changed ${KINDS[kind] ?? kind}`, [...marked('+', added), ...marked('-', removed)], paint));
  return [section('Changed files since you trusted it (+ new, - gone, ~ other content)', changedFiles, paint), ...parts];
}
