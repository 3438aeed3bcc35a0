import { cutEnd, cutStart } from '../util/cut-text.ts';

/** Characters (UTF-16 units) of one tool result that reach the model. */
export const OUTPUT_LIMIT = 30_000;
const NOTICE_ROOM = 400;

/** True when a text is longer than a model should get; the caller then saves it and calls `truncateOutput`. */
export function isTooLong(text: string, limit = OUTPUT_LIMIT): boolean {
  return text.length > limit;
}

/**
 * Head and tail of a text that is too long, with a notice between them; the result is at most `limit` characters. A text
 * that is not too long comes back as it is.
 */
export function truncateOutput(options: {
  readonly text: string;
  /** Where the whole text lies; left out when it could not be saved. */
  readonly savedAs?: string;
  readonly limit?: number;
}): string {
  const { text, savedAs, limit = OUTPUT_LIMIT } = options;
  if (!isTooLong(text, limit)) return text;
  const room = Math.max(0, limit - NOTICE_ROOM - (savedAs?.length ?? 0));
  const head = cutStart(text, Math.ceil(room / 2));
  const tail = cutEnd(text, Math.floor(room / 2));
  const missing = text.length - head.length - tail.length;
  const rest = savedAs === undefined ? 'the rest was not kept' : `the whole output is in ${savedAs}: read it there in parts`;
  return `${head}\n\n[... ${missing} of ${text.length} characters left out here; ${rest} ...]\n\n${tail}`;
}
