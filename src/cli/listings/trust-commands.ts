import { localFiles } from '../../host/local-files.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import { trustSkill } from '../../skills/trust/edit-trust.ts';
import { openTrust } from '../../skills/trust/trust-store.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';
import { asksYesOrNo, isTerminal } from '../yes-or-no.ts';
import { examine, type ExaminedSkill } from './examined-skill.ts';
import { namedSkillOrFolder, type NamedSkill } from './named-skill.ts';
import { skillsHere, type SkillsHere } from './skills-here.ts';
import { trustDialog } from './trust-dialog.ts';
import { listTrust, revokeSkills } from './trust-list.ts';

/** What `skillmint skills trust` can be told. */
export interface TrustFlags {
  readonly project?: boolean;
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly revoke?: boolean;
  readonly json?: boolean;
}

/** `skillmint skills trust`. */
export async function trustSkills(names: readonly string[], flags: TrustFlags): Promise<void> {
  const here = await skillsHere();
  if (flags.list) return listTrust(here, names, flags);
  if (names.length === 0 && !flags.project) throw new SkillmintError('usage', 'Name a skill, or use --project or --list. See: skillmint skills trust --help');
  const named = await Promise.all(names.map((name) => namedSkillOrFolder(here, name)));
  const skills = flags.project ? [...named, ...untrustedOfProject(here)] : named;
  if (flags.revoke) return revokeSkills(here, skills, flags);
  const examined: ExaminedSkill[] = [];
  for (const skill of skills) examined.push(await examine(here, skill));
  const trusted = flags.json ? await decideForProgram(here, examined, flags) : await decide(here, examined, flags);
  if (flags.json) await printJson({ skills: examined.map((each) => asJson(each, trusted.has(each))) });
  if (trusted.size < examined.length) process.exitCode = EXIT.refused;
}

/** Those that are trusted in the end: without a person to ask, by `--yes` alone. */
async function decideForProgram(here: SkillsHere, examined: readonly ExaminedSkill[], { yes }: TrustFlags): Promise<ReadonlySet<ExaminedSkill>> {
  const trusted = new Set(examined.filter(({ verdict }) => verdict.trusted));
  if (yes) for (const each of examined) await trustNow(here, each, trusted);
  return trusted;
}

async function decide(here: SkillsHere, examined: readonly ExaminedSkill[], flags: TrustFlags): Promise<ReadonlySet<ExaminedSkill>> {
  const trusted = new Set(examined.filter(({ verdict }) => verdict.trusted));
  for (const { skill, verdict } of trusted) await write(process.stdout, `${oneLine(skill.id)} is trusted: ${verdict.why}.\n`);
  const open = examined.filter((each) => !trusted.has(each));
  const groups = flags.project ? (open.length > 0 ? [open] : []) : open.map((each) => [each]);
  for (const group of groups) {
    for (const each of group) await write(process.stdout, trustDialog(each, palette(process.stdout)));
    if (await agrees(group, flags)) for (const each of group) await trustNow(here, each, trusted);
  }
  for (const { skill } of open.filter((each) => trusted.has(each))) await write(process.stderr, `${oneLine(skill.id)} is trusted now, as long as it stays as it is.\n`);
  return trusted;
}

async function agrees(group: readonly ExaminedSkill[], { yes = false }: TrustFlags): Promise<boolean> {
  const blocked = group.find(({ report }) => report.gaps.length > 0);
  if (blocked) throw new SkillmintError('not_trusted', `${blocked.skill.id} cannot be trusted, since not all of it can be checked for changes: ${blocked.report.gaps[0] ?? ''}`);
  if (yes) return true;
  if (!isTerminal()) throw new SkillmintError('not_trusted', `Nothing was trusted: there is no terminal to ask on. Read the above, then say --yes.`);
  const what = group.length === 1 ? `${oneLine(group[0]?.skill.id ?? '')} as it is now` : `these ${group.length} skills as they are now`;
  return asksYesOrNo(`Trust ${what}?`);
}

async function trustNow({ tree, data }: SkillsHere, each: ExaminedSkill, trusted: Set<ExaminedSkill>): Promise<void> {
  if (trusted.has(each)) return;
  await trustSkill({ tree, files: localFiles(), dataFolder: data, now: Date.now }, each.skill, each.report);
  trusted.add(each);
}

function untrustedOfProject({ catalogue, tree, data }: SkillsHere): readonly NamedSkill[] {
  const trust = openTrust({ tree, dataFolder: data });
  return catalogue.entries.filter((entry) => entry.source === 'project' && entry.status !== 'rejected' && entry.status !== 'shadowed' && !trust.of(entry, digestSkill(tree, entry.folder).digest).trusted);
}

function asJson({ skill, verdict, report, difference }: ExaminedSkill, trusted: boolean): object {
  const { id, name, description, source, folder } = skill;
  return { id, name, description, source, folder, trusted, why: verdict.why, ...('before' in verdict ? { before: verdict.before } : {}), report, ...(difference === undefined ? {} : { difference }) };
}
