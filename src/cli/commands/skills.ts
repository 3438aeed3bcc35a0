import type { Command } from 'commander';
import { databaseOption, wholeNumber } from '../options.ts';
import { defineEnhance } from './skills-enhance.ts';
import { defineEvaluate } from './skills-evaluate.ts';
import { defineExec } from './skills-exec.ts';
import { defineLibraryCommands } from './skills-library.ts';
import { definePackCommands } from './skills-pack.ts';
import { defineTrustCommands } from './skills-trust.ts';

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
    .option('--agent', 'have the skill agent choose by what the request means; says why each one fits')
    .option('--model <model>', 'with --agent: PROVIDER/MODEL')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  skillmint skills search "turn a csv into a report" -k 3\n  skillmint skills search --agent "something for the tax office"')
    .action(async (query: readonly string[], _options, self: Command) => (self.opts()['agent'] === true ? (await import('../library/agent-search-command.ts')).agentSearchCommand(query.join(' '), self.opts()) : (await load()).searchSkills(query.join(' '), self.opts())));
  skills.command('show <skill>').description('what a skill says, its files and findings')
    .option('--file <path>', 'print this file of the skill instead')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  skillmint skills show orders-report\n  skillmint skills show orders-report --file references/columns.md')
    .action(async (name: string, _options, self: Command) => (await load()).showSkill(name, self.opts()));
  skills.command('why <skill>').description('what became of a skill in a session, and why')
    .option('--not', 'only the turns in which it was not loaded')
    .option('--session <id>', 'this session; the latest of this folder otherwise')
    .addOption(databaseOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  skillmint skills why orders-report\n  skillmint skills why --not pdf --session ses_…')
    .action(async (skill: string, _options, self: Command) => (await import('../listings/why-command.ts')).whyCommand(skill, self.opts()));
  skills.command('tag').description('have the small model write search tags for the skills that have none')
    .option('--limit <n>', 'at most so many skills', wholeNumber(1))
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', `
Ten skills are one call. Names, descriptions and the beginnings of the instructions of the skills that could be offered here
are sent to smallModel, or to the model of new sessions where that is not set. The tags only help the search; they are kept
until the text of a skill changes. Without a terminal --yes is needed.

Examples:
  skillmint skills tag
  skillmint skills tag --limit 50 --yes --json`)
    .action(async (_options, self: Command) => (await import('../listings/tag-command.ts')).tagCommand(self.opts()));
  skills.command('validate [path]').description('check a skill, or all skills in a folder, for the programs that are to read it')
    .option('--target <target...>', 'agentskills (the open standard, unless told), claude-code, claude.ai, codex, gemini-cli, all')
    .option('--fix', 'write what can be repaired into the SKILL.md')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  skillmint skills validate ./my-skill\n  skillmint skills validate ./skills --target all\n  skillmint skills validate ./my-skill --fix')
    .action(async (folder: string | undefined, _options, self: Command) => (await import('../listings/validate-command.ts')).validateSkills(folder, self.opts()));
  defineLibraryCommands(skills);
  defineExec(skills);
  defineEvaluate(skills);
  defineEnhance(skills);
  defineTrustCommands(skills);
  definePackCommands(skills);
}
