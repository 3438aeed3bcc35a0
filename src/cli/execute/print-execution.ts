import type { SkillExecution } from '../../runtime/execute/execute-skill.ts';
import { jsonFor, write } from '../terminal.ts';

/** Characters of output that become JSON at once. */
const PIECE = 256 * 1024;

/** Prints the record as one JSON object. The two texts may be long and full of characters that JSON spells with six, so they go out in pieces. */
export async function printExecution({ stdout, stderr, ...rest }: SkillExecution): Promise<void> {
  await write(process.stdout, '{\n');
  for (const [name, text] of [['stdout', stdout], ['stderr', stderr]] as const) {
    await write(process.stdout, `  "${name}": "`);
    for (let at = 0; at < text.length; at += PIECE) await write(process.stdout, jsonFor(process.stdout, text.slice(at, at + PIECE)).slice(1, -1));
    await write(process.stdout, '",\n');
  }
  await write(process.stdout, `${jsonFor(process.stdout, rest, 2).slice(2)}\n`);
}
