import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import { openTrust } from '../../skills/trust/trust-store.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { asksYesOrNo, isTerminal } from '../yes-or-no.ts';
import { trustNow } from '../../runtime/library/trust-now.ts';
import { askTrust } from './ask-trust.ts';
import { examine, type ExaminedSkill } from '../../runtime/library/examined-skill.ts';
import { namedSkillOrFolder, type NamedSkill } from '../../runtime/library/named-skill.ts';
import { skillsHere, type SkillsHere } from './skills-here.ts';
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
  if (yes) for (const each of examined) if (!each.verdict.trusted) await trustNow(here, each);
  return new Set(examined.filter(({ verdict }) => yes || verdict.trusted));
}

async function decide(here: SkillsHere, examined: readonly ExaminedSkill[], flags: TrustFlags): Promise<ReadonlySet<ExaminedSkill>> {
  const trusted = new Set(examined.filter(({ verdict }) => verdict.trusted));
  for (const { skill, verdict } of trusted) await write(process.stdout, `${oneLine(skill.id)} is trusted: ${verdict.why}.\n`);
  const open = examined.filter((each) => !trusted.has(each));
  const groups = flags.project ? (open.length > 0 ? [open] : []) : open.map((each) => [each]);
  const ask = flags.yes ? async () => true : isTerminal() ? asksYesOrNo : refuseToAsk;
  for (const group of groups) if (await askTrust(here, group, ask)) for (const each of group) trusted.add(each);
  return trusted;
}

async function refuseToAsk(): Promise<never> {
  throw new SkillmintError('not_trusted', 'Nothing was trusted: there is no terminal to ask on. Read the above, then say --yes.');
}

function untrustedOfProject({ catalogue, tree, data }: SkillsHere): readonly NamedSkill[] {
  const trust = openTrust({ tree, dataFolder: data });
  return catalogue.entries.filter((entry) => entry.source === 'project' && entry.status !== 'rejected' && entry.status !== 'shadowed' && !trust.of(entry, digestSkill(tree, entry.folder).digest).trusted);
}

function asJson({ skill, verdict, report, difference }: ExaminedSkill, trusted: boolean): object {
  const { id, name, description, source, folder } = skill;
  return { id, name, description, source, folder, trusted, why: verdict.why, ...('before' in verdict ? { before: verdict.before } : {}), report, ...(difference === undefined ? {} : { difference }) };
}
