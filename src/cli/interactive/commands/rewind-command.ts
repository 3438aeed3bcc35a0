import { SkillmintError } from '../../../protocol/errors.ts';
import type { RewindPlan, RewindPoint, RewindResult } from '../../../protocol/rewind.ts';
import { oneLine, palette, printable } from '../../terminal.ts';
import type { Conversation } from '../conversation.ts';
import { timeAgo } from '../time-ago.ts';
import type { Next } from './slash-command.ts';

const MOST_COMMANDS = 10;

/** `/rewind`: shows what going back would do, asks, and goes on in the copy of the session that ends there. */
export async function rewindCommand(conversation: Conversation, given: string): Promise<Next> {
  const { runtime, face, sessionId } = conversation;
  if (sessionId === undefined) return face.notice('nothing was said yet');
  const service = await runtime.rewind(sessionId);
  const seq = given === '' ? await pickPoint(conversation, await service.points()) : numberOf(given);
  if (seq === undefined) return;
  const plan = await service.plan(seq);
  await face.print(planText(plan));
  if (!(await face.confirm('Go back to before this message?'))) return face.notice('nothing was changed');
  const result = await service.run(seq, { overwrite: await mayOverwrite(conversation, plan) });
  conversation.sessionId = result.session_id;
  await face.print(resultText(result));
  face.suggest(printable(plan.text));
}

async function pickPoint({ face }: Conversation, points: readonly RewindPoint[]): Promise<number | undefined> {
  const chosen = await face.pick('Go back to before', points.toReversed().map(({ seq, text, time }) => ({ value: String(seq), label: oneLine(text), description: timeAgo(time, Date.now()) })));
  return chosen === undefined ? undefined : Number(chosen);
}

function numberOf(given: string): number {
  if (!/^\d+$/.test(given)) throw new SkillmintError('usage', `"${given}" is no number of a message. /rewind alone shows them.`);
  return Number(given);
}

async function mayOverwrite({ face }: Conversation, { files }: RewindPlan): Promise<boolean> {
  const changed = files.filter(({ state }) => state === 'changed');
  return changed.length > 0 && face.confirm(`Also ${changed.map(({ path }) => oneLine(path)).join(', ')}, and lose what others have changed there?`);
}

function planText({ text, files, commands }: RewindPlan): string {
  const paint = palette(process.stdout);
  const why = { ready: '', changed: ' (changed by somebody else since)', lost: ' (cannot: what it was before was not kept)' } as const;
  return [
    `${paint.bold('Back to before:')} ${oneLine(text)}`,
    ...files.map(({ path, change, state }) => `  ${change === 'remove' ? 'remove  ' : 'set back'}  ${oneLine(path)}${paint.yellow(why[state])}`),
    ...(files.length === 0 ? ['  no file has to be set back'] : []),
    ...(commands.length === 0 ? [] : [paint.yellow('  not restored: what these commands have changed'), ...commands.slice(0, MOST_COMMANDS).map((command) => `    ${oneLine(command)}`)]),
    ...(commands.length > MOST_COMMANDS ? [`    and ${commands.length - MOST_COMMANDS} more`] : []),
    '',
  ].join('\n');
}

function resultText({ session_id, restored, removed, left }: RewindResult): string {
  const paint = palette(process.stdout);
  return [
    paint.dim(`went back, in the copy ${session_id}; the conversation before stays where it was`),
    ...restored.map((path) => `  set back  ${oneLine(path)}`),
    ...removed.map((path) => `  removed   ${oneLine(path)}`),
    ...left.map(({ path, why }) => paint.yellow(`  left      ${oneLine(path)}: ${oneLine(why)}`)),
    '',
  ].join('\n');
}
