import type { OpenRequest } from '../../protocol/session-state.ts';
import { cutStart } from '../../util/cut-text.ts';
import { oneLine } from '../terminal.ts';
import { byWeight, shellWord } from './show-call.ts';

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
      : `Session ${session_id} ${asks} Answer with: skillmint answer ${session_id} "TEXT"`;
  }
  const { text, isCut } = callText(first);
  if (!ephemeral) {
    const whole = isCut ? ` (cut; the whole call: skillmint sessions show ${session_id})` : '';
    return `Session ${session_id} waits for consent${more}: ${text}${whole}. Answer with: skillmint answer ${session_id} --allow | --always | --deny`;
  }
  const [rule] = first.question.rules;
  const allow = `--allow ${rule === undefined ? 'RULE' : shellWord(oneLine(rule))}`;
  return `The session waits for consent${more}: ${text}${isCut ? ' (cut)' : ''}. An ephemeral session cannot be answered. Allow it beforehand with ${allow} or another --permission-mode, or run without --ephemeral.`;
}

function callText({ call }: OpenRequest): { readonly text: string; readonly isCut: boolean } {
  const text = oneLine(`${call.tool} ${JSON.stringify(Object.fromEntries(byWeight(call.input)))}`);
  return text.length > CALL_CHARS ? { text: `${cutStart(text, CALL_CHARS)}…`, isCut: true } : { text, isCut: false };
}
