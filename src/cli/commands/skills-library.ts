import { Option, type Command } from 'commander';
import { SOURCE_HELP } from '../../skills/library/source-help.ts';
import { addOpeningOptions } from './skills-pack.ts';

/** The commands of `skillmint skills` that change what is installed. */
export function defineLibraryCommands(skills: Command): void {
  defineInstall(skills);
  defineUpdate(skills);
  defineRemove(skills);
  defineSwitches(skills);
  defineEdit(skills);
  defineCreate(skills);
}

function scopeOption(): Option {
  return new Option('--scope <scope>', 'user: for all your work; project: for the current folder').choices(['user', 'project']);
}

function defineInstall(skills: Command): void {
  addOpeningOptions(skills.command('install [source]').description('install skills from a folder, an archive, a .skillpack, a repository, a package or a site')
    .addOption(scopeOption().default('user'))
    .option('--skill <name...>', 'only these of the skills that the source holds')
    .option('--plugin <name>', 'the skills of this plugin of a marketplace')
    .option('--replace', 'replace skills of the same name; asks on a terminal')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'fetch and check, say what would be installed, and change nothing')
    .option('--frozen', 'without a source: install exactly what the lock file says'))
    .option('--json', 'print JSON')
    .addHelpText('after', `
${SOURCE_HELP}

No code of a skill runs while it is installed. On a terminal you can look at what a new skill could do, and trust it, at once.
A .skillpack of a signer whom you do not know yet is asked about; without a terminal it is refused with exit code 6 unless
--trust-signer names them.

Examples:
  skillmint skills install ./orders-report.zip
  skillmint skills install anthropics/skills --skill pdf docx
  skillmint skills install npm:@tanstack/intent --scope project
  skillmint skills install ./release-notes.skillpack --identity ~/age-identity.txt
  skillmint skills install OWNER/MARKETPLACE --plugin NAME
  skillmint skills install --frozen --scope project`)
    .action(async (source: string | undefined, _options, self: Command) => (await import('../library/install-command.ts')).installCommand(source, self.opts()));
}

function defineUpdate(skills: Command): void {
  skills.command('update [name...]').description('bring installed skills to what their sources have now; shows the difference first')
    .addOption(scopeOption().default('user'))
    .option('--check', 'only say what is outdated')
    .option('--replace', 'also update skills that were changed by hand, giving up that change')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  skillmint skills update\n  skillmint skills update pdf --yes\n  skillmint skills update --check --json')
    .action(async (names: readonly string[], _options, self: Command) => (await import('../library/update-command.ts')).updateCommand(names, self.opts()));
}

function defineRemove(skills: Command): void {
  skills.command('remove <skill>').description('remove a skill with all its files; asks on a terminal')
    .addOption(scopeOption().default('user'))
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  skillmint skills remove pdf\n  skillmint skills remove orders-report --scope project --yes')
    .action(async (name: string, _options, self: Command) => (await import('../library/remove-command.ts')).removeCommand(name, self.opts()));
}

function defineSwitches(skills: Command): void {
  const load = () => import('../library/switch-command.ts');
  skills.command('enable <skill>').description('switch a skill on again')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint skills enable bundled:orders-report')
    .action(async (name: string, _options, self: Command) => (await load()).switchCommand(name, { enabled: true, json: self.opts()['json'] === true }));
  skills.command('disable <skill>').description('switch a skill off without removing it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint skills disable bundled:orders-report')
    .action(async (name: string, _options, self: Command) => (await load()).switchCommand(name, { enabled: false, json: self.opts()['json'] === true }));
}

function defineEdit(skills: Command): void {
  skills.command('edit <skill>').description('change the description of a skill, and nothing else')
    .requiredOption('--description <text>', 'what the skill does and when to use it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint skills edit pdf --description "Reads, fills and splits PDF files. Use for anything with a .pdf."')
    .action(async (name: string, _options, self: Command) => (await import('../library/edit-command.ts')).editCommand(name, self.opts()));
}

function defineCreate(skills: Command): void {
  skills.command('create [name]').description('make a skill from a template, or have the skill agent write it')
    .option('--description <text>', 'what the skill does and when to use it')
    .option('--instructions <file>', 'the body of SKILL.md; - reads standard input')
    .option('--prompt <text>', 'have the skill agent write it: in several steps, with further files, checked before it is installed; it also chooses a name if none is given')
    .option('--model <model>', 'with --prompt: PROVIDER/MODEL')
    .addOption(scopeOption())
    .option('--json', 'print JSON')
    .addHelpText('after', `
Without --scope the setting skills.createIn decides. A skill made of your own words is trusted as it was made; one that the
skill agent wrote is trusted nowhere before you have looked at it, and nothing in it runs when it is loaded. With --prompt the
exit code is 6 where the agent thinks that there should be no skill.

Examples:
  skillmint skills create monthly-report --description "Makes the monthly report. Use when asked for figures of a month."
  skillmint skills create --prompt "checks invoices against orders, the way we did it in March.md" --scope project`)
    .action(async (name: string | undefined, _options, self: Command) => (await import('../library/create-command.ts')).createCommand(name, self.opts()));
}
