import path from 'node:path';
import { localTree } from '../../host/local-tree.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { skillFetcher } from '../../runtime/skill-fetcher.ts';
import { isUsable } from '../../skills/discover/skill-entry.ts';
import { installSkills, type InstalledSkill, type InstallResult, type ReplaceQuestion } from '../../skills/library/install.ts';
import { parseSource } from '../../skills/library/parse-source.ts';
import { cutStart } from '../../util/cut-text.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interrupts.ts';
import { skillsHere } from '../listings/skills-here.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';
import { confirm, personIsHere } from './consent.ts';
import type { InstallFlags } from './install-flags.ts';
import { asScope, libraryHere } from './library-here.ts';
import { startProgress } from './progress.ts';

/** `skillmint skills install`. */
export async function installCommand(source: string | undefined, flags: InstallFlags): Promise<void> {
  if (flags.frozen) return (await import('./restore-command.ts')).restoreCommand(source, flags);
  if (source === undefined) throw new SkillmintError('usage', 'There is no source to install from. Say what to install, or --frozen to install what the lock file says. See: skillmint skills install --help');
  const { library, loaded, cwd } = await libraryHere(asScope(flags.scope));
  const progress = startProgress();
  try {
    process.exitCode = await interruptible(async (signal) => {
      const result = await installSkills({
        tree: localTree(),
        library,
        source: parseSource(source, cwd),
        fetch: skillFetcher({ allow: loaded.values.network.allow, env: process.env, progress: progress.say, signal }),
        pick: flags.skill?.map((name) => ({ name })),
        replace: flags.replace === true,
        confirm: flags.yes !== true && personIsHere() ? askToReplace : undefined,
        dryRun: flags.dryRun === true,
        progress: progress.say,
        signal,
        now: Date.now,
      });
      const unusable = flags.dryRun ? [] : await unusableSkills(result.installed);
      if (flags.json) await printJson(asJson({ ...result, notes: [...result.notes, ...unusable] }, flags));
      else await tell({ ...result, notes: [...result.notes, ...unusable] }, flags);
      return EXIT.done;
    });
  } finally {
    progress.end();
  }
}

/** Why skills that were installed are not to be seen: another one comes first, or they are switched off. */
async function unusableSkills(installed: readonly InstalledSkill[]): Promise<readonly string[]> {
  const { catalogue, tree } = await skillsHere();
  return catalogue.entries.flatMap((entry) => {
    const mine = installed.some(({ folder }) => path.basename(folder) === path.basename(entry.folder) && folder === tree.realPath(entry.folder));
    return mine && !isUsable(entry) ? [`${entry.id} is ${entry.status}: ${entry.reason ?? 'no reason is known'}`] : [];
  });
}

function askToReplace({ names, folder }: ReplaceQuestion): Promise<boolean> {
  return confirm(`Replace ${names.join(', ')} in ${oneLine(folder)}? The old files go.`);
}

function asJson({ provenance, scope, installed, notes }: InstallResult, flags: InstallFlags): object {
  return { installed, scope, provenance, notes, trusted: false, dry_run: flags.dryRun === true };
}

async function tell({ installed, notes, provenance }: InstallResult, { dryRun }: InstallFlags): Promise<void> {
  const paint = palette(process.stdout);
  const pinned = [provenance.version, provenance.commit?.slice(0, 12)].find((each) => each !== undefined);
  for (const skill of installed) {
    const done = dryRun ? (skill.replaced ? 'would replace' : 'would install') : skill.replaced ? 'replaced' : 'installed';
    await write(process.stdout, `${paint.green(done)}  ${paint.bold(oneLine(skill.id))}  ${cutStart(oneLine(skill.description), 100)}\n${paint.dim(`  ${oneLine(skill.folder)}, ${skill.files} ${skill.files === 1 ? 'file' : 'files'}${pinned === undefined ? '' : `, ${oneLine(pinned)}`}`)}\n`);
    for (const warning of skill.warnings) await write(process.stderr, `skillmint: ${oneLine(skill.name)}: ${oneLine(warning)}\n`);
  }
  for (const note of notes) await write(process.stderr, `skillmint: ${oneLine(note)}\n`);
  const [first] = installed;
  if (dryRun || !first) return;
  const them = installed.length === 1 ? 'It is' : 'They are';
  await write(process.stderr, `${them} not trusted yet: scripts run in the sandbox only, and nothing is allowed in advance. To look and trust: skillmint skills trust ${oneLine(first.name)}\n`);
}
