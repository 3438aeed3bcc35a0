import { oneLine, printable } from '../../terminal.ts';
import { folderOf, type Conversation } from '../conversation.ts';
import type { SlashCommand } from './slash-command.ts';

/** Commands on what belongs to the folder. */
export const PLACE_COMMANDS: readonly SlashCommand[] = [
  { name: 'mcp', help: 'MCP servers of this folder and how they are doing', run: showServers },
  { name: 'memory', help: 'KEY: show an entry of the project\'s memory; without KEY lists them', run: showMemory },
];

async function showServers({ face }: Conversation): Promise<void> {
  const { listServersCommand } = await import('../../mcp/list-command.ts');
  await listServersCommand({ connect: true }, { out: face.print, err: face.print });
}

async function showMemory(conversation: Conversation, key: string): Promise<void> {
  const { runtime, face } = conversation;
  const memory = await runtime.memory(await folderOf(conversation));
  if (key !== '') {
    const { text, cut } = await memory.read(key);
    return face.print(`${printable(text)}\n${cut ? '(its beginning; the rest is too long)\n' : ''}`);
  }
  const entries = await memory.list();
  await face.print(entries.map((entry) => `  ${oneLine(entry.key)}  ${entry.size} bytes\n`).join(''));
  if (entries.length === 0) await face.notice('nothing is remembered of this project');
}
