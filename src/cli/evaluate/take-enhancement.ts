import type { Enhancement } from '../../runtime/enhance/enhancement.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { oneLine } from '../terminal.ts';

/** How a person is asked what is to come of an enhancement. */
export interface TakeOptions {
  /** An edit that was accepted is taken without a question. */
  readonly yes: boolean;
  /** Left out where nobody can be asked. */
  readonly confirm?: (question: string) => Promise<boolean>;
  readonly tell: (text: string) => Promise<void>;
  /** Has the skill made that the conversation calls for. */
  readonly create: (request: string) => Promise<object>;
}

/** Does what the person wants of an enhancement that they have seen; resolves to what was done, by name. */
export async function takeEnhancement(runtime: Pick<Runtime, 'enhancements'>, { id, decision, request, result, best, skill }: Enhancement, { yes, confirm, tell, create }: TakeOptions): Promise<object> {
  if (decision === 'create' && request !== undefined && (await confirm?.('Have the skill made?'))) return create(request);
  if (!result || best === undefined || result.verdict === 'rejected') return {};
  const isAccepted = result.verdict === 'accepted';
  if (!(yes && isAccepted) && !(await confirm?.(isAccepted ? 'Take the edit?' : 'Take it all the same?'))) return {};
  const applied = await runtime.enhancements.apply(id, { byHand: !isAccepted });
  await tell(`${oneLine(skill?.id ?? applied.skill)} was changed: ${oneLine(applied.folder)}.${applied.trusted ? '' : ` It is not trusted: skillmint skills trust ${oneLine(skill?.name ?? applied.skill)}`}\n`);
  return { applied };
}
