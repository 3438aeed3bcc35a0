import { PAUSE_MS } from './screen-keys.ts';
import type { DialogParts } from './dialogs.ts';
import type { ScreenParts } from './screen-parts.ts';
import type { DialogComponent, ScreenState } from './screen-state.ts';

/**
 * Shows a dialog in the place of the editor until it is answered. Undefined where the person leaves it. Unless it is `awaited`,
 * keys count once nobody has typed for a moment: somebody who was writing has not read it yet.
 */
export function askIn<T>({ foot, editor, tui, paint }: ScreenParts, state: ScreenState, now: () => number, make: (parts: DialogParts<T>) => DialogComponent, { awaited = false } = {}): Promise<T | undefined> {
  if (state.isEnded) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let arming: NodeJS.Timeout | undefined;
    const close = (value: T | undefined): void => {
      clearTimeout(arming);
      state.dialog = undefined;
      foot.clear();
      foot.addChild(editor);
      tui.setFocus(editor);
      tui.requestRender();
      resolve(value);
    };
    const component = make({ paint, answer: close, isArmed: () => state.dialog?.isArmed === true });
    state.dialog = { component, isArmed: false, dismiss: () => close(undefined) };
    const arm = (): void => {
      const left = PAUSE_MS - (now() - state.lastKeyAt);
      if (left > 0 && !awaited) {
        arming = setTimeout(arm, left);
        return;
      }
      if (state.dialog) state.dialog.isArmed = true;
      foot.clear();
      foot.addChild(component);
      tui.setFocus(component);
      tui.requestRender();
    };
    foot.clear();
    foot.addChild(component);
    if (editor.getText() !== '') foot.addChild(editor);
    arm();
    tui.requestRender();
  });
}
