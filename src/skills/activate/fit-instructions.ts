import { cutStart } from '../../util/cut-text.ts';
import { estimateTokens } from '../../util/estimate-tokens.ts';

/** Share of a context window that the instructions of one skill may fill. */
const SHARE = 0.4;

/** Instructions as a model of this context window (tokens) can hold them: all of them, or the start with the way to the rest, which stands in `file`. */
export function fitInstructions(text: string, { contextWindow, file }: { readonly contextWindow: number; readonly file: string }): string {
  const tokens = estimateTokens(text);
  const room = SHARE * contextWindow;
  if (tokens <= room) return text;
  const start = cutStart(text, Math.floor((text.length * room) / tokens));
  return `${start}\n\n[These are the first ${start.length} of ${text.length} characters, as far as this model's context holds them. The rest is in ${file}: read it there in parts, before you work on what it is about.]`;
}
