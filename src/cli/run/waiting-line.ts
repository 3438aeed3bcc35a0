import type { OpenRequest } from '../../protocol/session-state.ts';
import { byWeight } from '../../protocol/telling-argument.ts';
import { cutStart } from '../../util/cut-text.ts';
import { oneLine } from '../terminal.ts';
import { shellWord } from './show-call.ts';

const CALL_CHARS = 160;

/** A session that waits for a person. */
export interface Waiting {
  readonly session_id: string;
  readonly open: readonly OpenRequest[];
}

/** One line on what a session waits for, and how to answer it. A call that does not fit is cut, and it is said where all of it stands. */
export function waitingLine({ session_id, open }: Waiting, { ephemeral }: { readonly ephemeral: boolean }): string {
  const [first] = open;
  const more = open.length > 1 ? ` (and ${open.length - 1} more)` : '';
  if (!first) return `Session ${session_id} waits for a person. See: skillmint sessions show ${session_id}`;
  if (first.question.kind === 'question') {
    const asks = `asks${more}: ${oneLine(first.question.question)}`;
    return ephemeral
      ? `The session ${asks} An ephemeral session cannot be answered. Say it in the prompt, or run without --ephemeral.`
      : `Session ${session_id} ${asks} Answer with: skillmint answer ${session_id}${requestFlag(first)} "TEXT"`;
  }
  const { text, isCut } = callText(first);
  if (!ephemeral && first.call.tool === 'ExitPlanMode') return `Session ${session_id} shows a plan${more}: skillmint sessions show ${session_id}. Accept it with: skillmint answer ${session_id} --allow${first.question.mode === undefined ? '' : ` (--always also sets the mode ${first.question.mode})`}, or send it back with --deny --reason "TEXT"`;
  if (!ephemeral) {
    const whole = isCut ? ` (cut; the whole call: skillmint sessions show ${session_id})` : '';
    return `Session ${session_id} waits for consent${more}: ${text}${whole}. Answer with: skillmint answer ${session_id}${requestFlag(first)} --allow | --always | --deny`;
  }
  const [rule] = first.question.rules;
  const allow = `--allow ${rule === undefined ? 'RULE' : shellWord(oneLine(rule))}`;
  return `The session waits for consent${more}: ${text}${isCut ? ' (cut)' : ''}. An ephemeral session cannot be answered. Allow it beforehand with ${allow} or another --permission-mode, or run without --ephemeral.`;
}

/** A question of an agent in the background is one of several of the session. */
function requestFlag({ agent, question }: OpenRequest): string {
  return agent ? ` --request ${question.request_id}` : '';
}

function callText({ call }: OpenRequest): { readonly text: string; readonly isCut: boolean } {
  const text = oneLine(`${call.tool} ${JSON.stringify(Object.fromEntries(byWeight(call.input)))}`);
  return text.length > CALL_CHARS ? { text: `${cutStart(text, CALL_CHARS)}…`, isCut: true } : { text, isCut: false };
}
