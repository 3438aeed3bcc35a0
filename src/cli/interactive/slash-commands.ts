import { SkillmintError } from '../../protocol/errors.ts';
import { resolveSkill } from '../../skills/discover/resolve-skill.ts';
import { palette } from '../terminal.ts';
import { MODEL_COMMANDS } from './commands/model-commands.ts';
import { PLACE_COMMANDS } from './commands/place-commands.ts';
import { SESSION_COMMANDS } from './commands/session-commands.ts';
import { SKILL_COMMANDS } from './commands/skill-commands.ts';
import type { Next, SlashCommand } from './commands/slash-command.ts';
import { folderOf, type Conversation } from './conversation.ts';

/** Every command of the conversation, in the order of `/help`. A new one is added to the table of its subject. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'help', help: 'these commands', run: showHelp },
  ...MODEL_COMMANDS,
  ...SKILL_COMMANDS,
  ...PLACE_COMMANDS,
  ...SESSION_COMMANDS,
  { name: 'quit', help: 'end', run: async () => 'quit' },
];

const NAME_WIDTH = 13;

/** Runs a line that begins with a slash; `message` for one that calls a skill, which is sent like any other. */
export async function runSlashCommand(conversation: Conversation, line: string): Promise<Next> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? [];
  const command = SLASH_COMMANDS.find((one) => one.name === name || (name === 'exit' && one.name === 'quit'));
  if (!command && (/^mcp__\S+__/.test(name) || (await isSkill(conversation, name)))) return 'message';
  if (!command) throw new SkillmintError('usage', `There is no command or skill /${name}. See /help and /skills.`);
  return command.run(conversation, rest.trim());
}

async function isSkill(conversation: Conversation, name: string): Promise<boolean> {
  const { entries } = await conversation.runtime.skills(await folderOf(conversation));
  return resolveSkill({ entries }, name).kind !== 'missing';
}

async function showHelp({ face }: Conversation): Promise<void> {
  const paint = palette(process.stdout);
  await face.print(SLASH_COMMANDS.map(({ name, help }) => `  ${paint.bold(`/${name}`.padEnd(NAME_WIDTH))} ${help}\n`).join(''));
}
