import { isKeyRelease, matchesKey } from '@mariozechner/pi-tui';
import type { PermissionMode } from '../../../protocol/permission.ts';
import { replaceUnsafe } from '../../../protocol/visible-text.ts';
import { endAtOnce } from '../../interrupts.ts';
import type { ScreenParts } from './screen-parts.ts';
import type { ScreenState } from './screen-state.ts';
import { suspend } from './suspend.ts';

const PASTE = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** A dialog takes keys once nobody was typing for so long, ms. */
export const PAUSE_MS = 400;
/** Shift+Tab goes through these; those that ask less have to be named. */
const CYCLE: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

/** What keys bring about beside the text. */
export interface KeyActs {
  readonly end: () => void;
  readonly notice: (text: string) => void;
  readonly now: () => number;
  readonly changeMode: (mode: PermissionMode) => void;
}

/** Listens to the keys that mean something whatever has the focus. */
export function listenToKeys(parts: ScreenParts, state: ScreenState, acts: KeyActs): void {
  const { tui, editor, view } = parts;
  tui.addInputListener((data) => {
    if (isKeyRelease(data)) return undefined;
    const isLeaving = state.isLeaving;
    state.isLeaving = false;
    const { dialog } = state;
    state.lastKeyAt = acts.now();
    const taken = ((): boolean => {
      if (matchesKey(data, 'ctrl+c')) return interrupt(parts, state, acts, isLeaving);
      if (matchesKey(data, 'ctrl+z') && process.platform !== 'win32') return did(() => suspend(tui, { isClosed: () => state.isClosed }));
      if (matchesKey(data, 'ctrl+o')) return did(() => view.toggleDetails());
      if (matchesKey(data, 'escape') && dialog) return did(() => dialog.component.back?.() || dialog.dismiss());
      if (matchesKey(data, 'escape') && state.running && !editor.isShowingAutocomplete()) return did(() => stop(state));
      if (dialog && !dialog.isArmed) return did(() => editor.handleInput(data));
      if (dialog) return false;
      if (matchesKey(data, 'ctrl+d') && editor.getText() === '') return did(acts.end);
      if (matchesKey(data, 'shift+tab')) return did(() => cycleMode(state, acts));
      return false;
    })();
    tui.requestRender();
    if (taken) return { consume: true };
    return data.startsWith(PASTE) ? { data: pasted(data) } : undefined;
  });
}

function did(act: () => void): true {
  act();
  return true;
}

/** Ctrl-C: leaves a dialog, clears what was typed, stops the turn; where that takes its time once more ends at once, and with nothing of these twice ends. */
function interrupt({ editor }: ScreenParts, state: ScreenState, { end, notice }: KeyActs, isLeaving: boolean): true {
  if (state.dialog) state.dialog.dismiss();
  else if (editor.getText() !== '') editor.setText('');
  else if (state.running?.isStopping) endAtOnce();
  else if (state.running) stop(state);
  else if (isLeaving) end();
  else {
    state.isLeaving = true;
    notice('press Ctrl-C again or Ctrl-D to end');
  }
  return true;
}

function stop({ running }: ScreenState): void {
  if (!running) return;
  running.isStopping = true;
  running.stop();
}

function cycleMode(state: ScreenState, { changeMode, notice }: KeyActs): void {
  if (state.running) return notice('the mode can be changed once the turn has ended');
  const mode = state.session.model === '' ? state.where?.mode : state.session.permission_mode;
  changeMode(CYCLE[(CYCLE.findIndex((one) => one === mode) + 1) % CYCLE.length] ?? 'default');
}

/** What was pasted, without what could steer the terminal from within the editor. */
function pasted(data: string): string {
  const text = data.slice(PASTE.length).replace(PASTE_END, '').replace(/\r\n?/g, '\n');
  return `${PASTE}${replaceUnsafe(text, () => '')}${PASTE_END}`;
}
