import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { shellWord } from '../run/show-call.ts';
import { oneLine, write } from '../terminal.ts';
import { asksYesOrNo, isTerminal } from '../yes-or-no.ts';
import { askTrust } from './ask-trust.ts';
import { examine, type TrustHere } from '../../runtime/library/examined-skill.ts';

/** Says what is not trusted yet. Where `asks`, and on a terminal, it can be looked at and trusted at once; without a clear yes it stays as it is. */
export async function offerTrust(here: TrustHere, untrusted: readonly SkillEntry[], { asks }: { readonly asks: boolean }): Promise<void> {
  if (untrusted.length === 0) return;
  const [they, them] = untrusted.length === 1 ? ['It is', 'it'] : ['They are', 'them'];
  await write(process.stderr, `${they} not trusted yet: scripts run in the sandbox only, and nothing is allowed in advance. To look and trust: skillmint skills trust ${untrusted.map(({ handle }) => typed(handle)).join(' ')}\n`);
  if (!asks || !isTerminal() || !(await asksYesOrNo(`Look now at what a skill could do, to trust ${them}?`))) return;
  for (const entry of untrusted) await askTrust(here, [await examine(here, entry)], asksYesOrNo);
}

/** A name as it is typed into a shell. */
function typed(name: string): string {
  return /^[\w:@/.-]+$/.test(name) ? name : shellWord(oneLine(name));
}
