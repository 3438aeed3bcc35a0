import type { Command } from 'commander';
import { wholeNumber } from '../options.ts';
import { defineLibraryCommands } from './skills-library.ts';

/** `skillmint skills`. */
export function defineSkills(program: Command): void {
  const skills = program.command('skills').description('find, show, check, install and make skills');
  const load = () => import('../listings/skills-commands.ts');
  skills.command('list').description('every skill that was found, with its status and the reason for it')
    .option('--all', 'accepted; nothing is hidden')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  skillmint skills list\n  skillmint skills list --json')
    .action(async (_options, self: Command) => (await import('../listings/list-skills.ts')).listSkills(self.opts()));
  skills.command('search <query...>').description('the skills that fit a request best')
    .option('-k <n>', 'how many', wholeNumber(1), 8)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint skills search "turn a csv into a report" -k 3')
    .action(async (query: readonly string[], _options, self: Command) => (await load()).searchSkills(query.join(' '), self.opts()));
  skills.command('show <skill>').description('what a skill says, its files and findings')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint skills show orders-report')
    .action(async (name: string, _options, self: Command) => (await load()).showSkill(name, self.opts()));
  skills.command('validate <path>').description('check a skill folder against the open standard')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint skills validate ./my-skill')
    .action(async (folder: string, _options, self: Command) => (await load()).validateSkillFolder(folder, self.opts()));
  defineLibraryCommands(skills);
}
