import { homedir } from 'node:os';
import { Container, setCapabilities, TUI } from '@mariozechner/pi-tui';
import { oneLine, palette, wantsColour } from '../../terminal.ts';
import { MessageEditor } from './message-editor.ts';
import { panel, todoLines } from './panels.ts';
import { ScreenTerminal } from './screen-terminal.ts';
import type { ScreenState } from './screen-state.ts';
import { shortFolder, statusLines } from './status-line.ts';
import type { Paint } from './theme.ts';
import { transcriptView, type TranscriptView } from './transcript-view.ts';

/** What a screen is put together from. */
export interface ScreenParts {
  readonly paint: Paint;
  readonly tui: TUI;
  readonly view: TranscriptView;
  readonly editor: MessageEditor;
  /** Holds the editor, or the dialog in its place. */
  readonly foot: Container;
}

/** Puts the screen together; nothing is written yet. */
export function screenParts(state: ScreenState, { folder, now }: { readonly folder: string; readonly now: () => number }): ScreenParts {
  // No pictures, and no links whose address is not seen.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  const paint = palette(process.stdout);
  const tui = new TUI(new ScreenTerminal({ hasColours: wantsColour(process.stdout) }), true);
  const view = transcriptView(paint);
  const editor = new MessageEditor(tui, paint);
  const foot = new Container();
  foot.addChild(editor);
  tui.addChild(view);
  tui.addChild(panel(() => todoLines(state.session.todos, paint)));
  tui.addChild(panel(() => workingLines(state, paint, now())));
  tui.addChild(foot);
  tui.addChild(panel((width) => (state.isClosed ? [] : statusLines(statusOf(state, folder), width).map(paint.dim))));
  tui.setFocus(editor);
  return { paint, tui, view, editor, foot };
}

/** What runs, how long by now, how far it is, and what was sent into it. */
function workingLines({ running, steered, kept, dialog }: ScreenState, paint: Paint, now: number): readonly string[] {
  const waiting = (when: string) => (text: string) => paint.dim(`  ↳ ${when}: ${oneLine(text)}`);
  const sent = [...steered.map(waiting('at the next step')), ...kept.map(waiting('afterwards'))];
  // Work that asks waits for the answer, and Esc leaves the question.
  if (!running || dialog) return sent;
  return ['', `${paint.yellow('●')} ${running.isStopping ? 'stopping' : running.what} ${Math.floor((now - running.since) / 1_000)} s ${paint.dim(running.isStopping ? '· Ctrl-C ends at once' : '· Esc stops')}`, ...(running.line === undefined ? [] : [paint.dim(`  ${oneLine(running.line)}`)]), ...sent];
}

function statusOf({ session, where, window }: ScreenState, folder: string): Parameters<typeof statusLines>[0] {
  const begun = session.model !== '';
  return {
    model: begun ? session.model : (where?.model ?? ''),
    mode: begun ? session.permission_mode : (where?.mode ?? ''),
    folder: shortFolder(where?.cwd ?? folder, homedir()),
    sandbox: where?.sandbox ?? '',
    tokens: session.context.tokens,
    window,
    costUsd: session.cost_usd,
  };
}
