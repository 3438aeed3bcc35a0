import { trustNow } from '../../runtime/library/trust-now.ts';
import { checkTrustable } from '../../skills/trust/edit-trust.ts';
import { oneLine, palette, write } from '../terminal.ts';
import type { ExaminedSkill, TrustHere } from '../../runtime/library/examined-skill.ts';
import { trustDialog } from './trust-dialog.ts';

const toStdout = (text: string): Promise<void> => write(process.stdout, text);
const toStderr = (text: string): Promise<void> => write(process.stderr, text);

/**
 * Shows what skills could do and trusts them together after a yes; the result is whether there was one. Rejects with
 * `not_trusted` for a skill that cannot be checked as a whole, and as `trustSkill` and `ask` do. What is shown goes to `print`,
 * to standard output and error when it is left out.
 */
export async function askTrust(here: TrustHere, group: readonly ExaminedSkill[], ask: (question: string) => Promise<boolean>, print?: (text: string) => Promise<void>): Promise<boolean> {
  for (const each of group) await (print ?? toStdout)(trustDialog(each, palette(process.stdout)));
  for (const { skill, report } of group) checkTrustable(skill, report);
  const what = group.length === 1 ? `${oneLine(group[0]?.skill.id ?? '')} as it is now` : `these ${group.length} skills as they are now`;
  if (!(await ask(`Trust ${what}?`))) return false;
  for (const each of group) {
    await trustNow(here, each);
    await (print ?? toStderr)(`${oneLine(each.skill.id)} is trusted now, as long as it stays as it is.\n`);
  }
  return true;
}
