import { Command, CommanderError } from 'commander';
import { SkillmintError } from '../protocol/errors.ts';
import { VERSION } from '../version.ts';
import { defineAcp } from './commands/acp.ts';
import { defineAnswer } from './commands/answer.ts';
import { defineCompletion } from './commands/completion.ts';
import { defineConfig } from './commands/config.ts';
import { defineDatabase } from './commands/db.ts';
import { defineDoctor } from './commands/doctor.ts';
import { defineInteractive } from './commands/interactive.ts';
import { defineMcp } from './commands/mcp.ts';
import { defineModels } from './commands/models.ts';
import { defineRun } from './commands/run.ts';
import { defineServe } from './commands/serve.ts';
import { defineSessions } from './commands/sessions.ts';
import { defineSkills } from './commands/skills.ts';
import { defineUsers } from './commands/users.ts';
import type { SharedHere } from './database/shared-here.ts';
import { EXIT } from './exit-codes.ts';
import { DATABASE_VARIABLE } from './options.ts';
import { leaveFaultsToWriters, oneLine, reportError, write } from './terminal.ts';

const HELP_END = `
Exit codes: 0 done, 1 failed, 2 usage, 3 waiting for a person, 4 limit reached, 5 not found,
6 refused, 78 sandbox required but not available, 130 interrupted.

Examples:
  skillmint                                    start in this folder
  skillmint run "count the lines of code"      one turn, answer on standard output
  skillmint run --skill orders-report "make a report of orders.csv"
  skillmint skills list                        what is installed, and why something is not loaded
  skillmint doctor                             what works on this machine`;

/** The whole command line, as data; nothing runs before `parseAsync`. */
export function buildProgram(files: FilesOfCommand = {}): Command {
  const program = new Command('skillmint')
    .description('Runs Agent Skills (SKILL.md folders) with any model, safely.')
    .version(VERSION, '-V, --version', 'print the version')
    .addHelpText('after', HELP_END);
  defineInteractive(program);
  for (const define of [defineRun, defineAnswer, defineServe, defineAcp, defineUsers, defineSkills, defineSessions, defineDatabase, defineMcp, defineModels, defineConfig, defineDoctor, defineCompletion]) define(program);
  program.hook('preAction', refuseStrayFlags);
  program.hook('preAction', (_program, called) => takeDatabase(called));
  program.hook('preAction', async (_program, called) => takeFiles(program, called, files));
  wordHelp(program);
  return program;
}

/** Flags of the conversation that stand before another command would have no effect, which may be less safe than meant. */
function refuseStrayFlags(program: Command, called: Command): void {
  if (called === program) return;
  const stray = program.options.find((option) => program.getOptionValueSource(option.attributeName()) === 'cli');
  if (stray) throw new SkillmintError('usage', `Write ${stray.long ?? stray.flags} after the command: skillmint ${called.name()} ${stray.long ?? stray.flags} …`);
}

/** Whatever opens a runtime finds the database in one place. */
function takeDatabase(called: Command): void {
  const { database }: { readonly database?: string } = called.opts();
  if (database !== undefined) process.env[DATABASE_VARIABLE] = database;
}

/** Files that a command has in common with other workers; set while it works on them itself, without a runtime. */
interface FilesOfCommand {
  shared?: SharedHere | undefined;
}

/** Commands that change files of the data folder themselves. */
const CHANGING = new Set(['skills', 'config', 'mcp', 'users']);
const WITHOUT_FILES = new Set(['db', 'sidecar', 'completion']);

/** Whatever reads settings, skills or users finds those of the database. */
async function takeFiles(program: Command, called: Command, files: FilesOfCommand): Promise<void> {
  let top = called;
  while (top.parent && top.parent !== program) top = top.parent;
  if (!process.env[DATABASE_VARIABLE] || WITHOUT_FILES.has(top.name())) return;
  const { shareHere } = await import('./database/shared-here.ts');
  const shared = await shareHere();
  if (CHANGING.has(top.name())) files.shared = shared;
  else await shared?.finish();
}

function wordHelp(command: Command): void {
  command.helpOption('-h, --help', 'print this help').helpCommand(false);
  for (const child of command.commands) wordHelp(child);
}

/** Runs one command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) leaveFaultsToWriters(stream);
  // Libraries warn so, and may repeat what a stranger has written.
  console.warn = (...said: readonly unknown[]) => void process.stderr.write(`skillmint: ${oneLine(said.map(String).join(' '))}\n`);
  process.exit(await run(args));
}

async function run(args: readonly string[]): Promise<number> {
  const files: FilesOfCommand = {};
  const program = buildProgram(files);
  const said: Said = { out: '', err: '' };
  collect(program, said);
  try {
    await inShared(files, () => program.parseAsync([...args], { from: 'user' }));
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return error instanceof CommanderError ? endOfParsing(error, said, commandNamed(program, args)) : reportError(error);
  }
}

/** What a command that failed has changed is for all, too. */
async function inShared(files: FilesOfCommand, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } finally {
    await files.shared?.finish();
  }
}

/** The command that the arguments name, as far as they name one, as it is typed. */
function commandNamed(program: Command, args: readonly string[]): string {
  const words = [program.name()];
  let command: Command | undefined = program;
  for (const arg of args) {
    command = command.commands.find((child) => child.name() === arg);
    if (!command) break;
    words.push(arg);
  }
  return words.join(' ');
}

async function endOfParsing(error: CommanderError, { out, err }: Said, command: string): Promise<number> {
  try {
    if (out !== '') await write(process.stdout, out);
    if (err !== '') await write(process.stderr, err);
  } catch (fault) {
    return reportError(fault);
  }
  if (error.exitCode === 0) return EXIT.done;
  if (error.code === 'commander.help') return EXIT.usage;
  return reportError(new SkillmintError('usage', `${oneLine(error.message.replace(/^error: /, '')).replace(/\.+$/, '')}. See: ${command} --help`));
}

/** Help and version, which the parser would write without asking whether it went well. */
interface Said {
  out: string;
  err: string;
}

/** The parser throws instead of ending the process, keeps what it says, and leaves the one line of an error to us. */
function collect(command: Command, said: Said): void {
  command.exitOverride().showSuggestionAfterError(true).configureOutput({
    writeOut: (text) => { said.out += text; },
    writeErr: (text) => { said.err += text; },
    outputError: () => undefined,
  });
  for (const child of command.commands) collect(child, said);
}
