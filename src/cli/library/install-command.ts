import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { digestSkill } from '../../skills/digest.ts';
import { isUsable, type SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { FetchedSource } from '../../skills/library/fetched-source.ts';
import type { InstalledSkill } from '../../protocol/skill.ts';
import { installSkills, type InstallResult, type ReplaceQuestion } from '../../skills/library/install.ts';
import { cutStart } from '../../util/cut-text.ts';
import { EXIT } from '../exit-codes.ts';
import { verdictOf } from '../../runtime/library/examined-skill.ts';
import { offerTrust } from '../listings/offer-trust.ts';
import { skillsHere, type SkillsHere } from '../listings/skills-here.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';
import { asksYesOrNo, isTerminal } from '../yes-or-no.ts';
import type { InstallFlags } from './install-flags.ts';
import { workOnLibrary } from './library-work.ts';

/** `skillmint skills install`. */
export async function installCommand(source: string | undefined, flags: InstallFlags): Promise<void> {
  if (flags.frozen) return (await import('./restore-command.ts')).restoreCommand(source, flags);
  if (source === undefined) throw new SkillmintError('usage', 'There is no source to install from. Say what to install, or --frozen to install what the lock file says. See: skillmint skills install --help');
  await workOnLibrary(flags, async ({ parse, fetch, quiet, ...parts }) => {
    const dryRun = flags.dryRun === true;
    const result = await installSkills({
      ...parts,
      source: parse(source),
      fetch: async (wanted, temporary) => openedAsTold(await fetch(wanted, temporary), flags),
      plugin: flags.plugin,
      pick: flags.skill?.map((name) => ({ name })),
      replace: flags.replace === true,
      confirm: flags.yes !== true && isTerminal() ? (question) => { quiet(); return askToReplace(question); } : undefined,
      dryRun,
      now: Date.now,
    });
    quiet();
    const here = dryRun ? undefined : await skillsHere();
    const entries = here ? entriesOf(here, result.installed) : [];
    const notes = [...result.notes, ...entries.filter((entry) => !isUsable(entry)).map((entry) => `${entry.id} is ${entry.status}: ${entry.reason ?? 'no reason is known'}`)];
    const untrusted = here ? entries.filter((entry) => !verdictOf(here, entry, digestSkill(here.tree, entry.folder).digest).trusted) : [];
    if (flags.json) await printJson(asJson({ ...result, notes }, { dryRun, trusted: entries.length > 0 && untrusted.length === 0 }));
    else await tell({ ...result, notes }, dryRun);
    if (here && !flags.json) await offerTrust(here, untrusted, { asks: flags.yes !== true });
    return EXIT.done;
  });
}

/** What only a skillpack can be told must not be said in vain: --trust-signer is about safety. */
function openedAsTold(fetched: FetchedSource, { identity, passphraseFile, trustSigner }: InstallFlags): FetchedSource {
  const { kind, source } = fetched.provenance;
  const told = [identity && '--identity', passphraseFile && '--passphrase-file', trustSigner && '--trust-signer'].find((flag) => flag);
  if (told && kind !== 'skillpack') throw new SkillmintError('usage', `${told} is for a .skillpack, and ${source} is none. Leave it out.`);
  return fetched;
}

/** What was installed as it is found from here. It may not be seen: another one comes first, or it is switched off. */
function entriesOf({ catalogue, tree }: SkillsHere, installed: readonly InstalledSkill[]): readonly SkillEntry[] {
  return catalogue.entries.filter((entry) => installed.some(({ folder }) => path.basename(folder) === path.basename(entry.folder) && folder === tree.realPath(entry.folder)));
}

function askToReplace({ names, folder }: ReplaceQuestion): Promise<boolean> {
  return asksYesOrNo(`Replace ${names.join(', ')} in ${oneLine(folder)}? The old files go.`);
}

function asJson({ provenance, scope, installed, notes }: InstallResult, { dryRun, trusted }: { readonly dryRun: boolean; readonly trusted: boolean }): object {
  return { installed, scope, provenance, notes, trusted, dry_run: dryRun };
}

async function tell({ installed, notes, provenance }: InstallResult, dryRun: boolean): Promise<void> {
  const paint = palette(process.stdout);
  const pinned = [provenance.version, provenance.commit?.slice(0, 12)].find((each) => each !== undefined);
  for (const skill of installed) {
    const done = dryRun ? (skill.replaced ? 'would replace' : 'would install') : skill.replaced ? 'replaced' : 'installed';
    await write(process.stdout, `${paint.green(done)}  ${paint.bold(oneLine(skill.id))}  ${cutStart(oneLine(skill.description), 100)}\n${paint.dim(`  ${oneLine(skill.folder)}, ${skill.files} ${skill.files === 1 ? 'file' : 'files'}${pinned === undefined ? '' : `, ${oneLine(pinned)}`}`)}\n`);
    for (const warning of skill.warnings) await write(process.stderr, `skillmint: ${oneLine(skill.name)}: ${oneLine(warning)}\n`);
  }
  for (const note of notes) await write(process.stderr, `skillmint: ${oneLine(note)}\n`);
}
