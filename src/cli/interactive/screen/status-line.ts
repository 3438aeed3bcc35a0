import { visibleWidth } from '@mariozechner/pi-tui';
import { oneLine } from '../../terminal.ts';

const BETWEEN = ' · ';

/** What the status line says. */
export interface Status {
  readonly model: string;
  readonly folder: string;
  readonly mode: string;
  /** In words. */
  readonly sandbox: string;
  /** Tokens in the context, and how many it holds where that is known. */
  readonly tokens: number;
  readonly window: number | undefined;
  readonly costUsd: number;
}

/** The status on one line, or on as many as it takes. Parts that are not known are left out. */
export function statusLines({ model, folder, mode, sandbox, tokens, window, costUsd }: Status, width: number): readonly string[] {
  const context = window === undefined ? `${tokens} tokens` : `${Math.round((100 * tokens) / window)} % context`;
  const first = [model, mode, sandbox === '' ? '' : `sandbox: ${sandbox}`].filter(Boolean).map(oneLine);
  const second = [folder, tokens > 0 ? context : '', costUsd > 0 ? `$${costUsd.toFixed(4)}` : ''].filter(Boolean).map(oneLine);
  const joined = [...first, ...second].join(BETWEEN);
  return visibleWidth(joined) <= width ? [joined] : [first, second].flatMap((parts) => packed(parts, width));
}

function packed(parts: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = [...lines.slice(-1), part].join(BETWEEN);
    if (lines.length > 0 && visibleWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

/** A folder with `~` for the home of the person. */
export function shortFolder(folder: string, home: string): string {
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
