import type { TUI } from '@mariozechner/pi-tui';

/** A process that was stopped takes up its timers when it goes on; one that could not be stopped is back after so long, ms. */
const BACK_MS = 100;

/**
 * Gives the terminal to the shell and stops this process with all of its group, as Ctrl-Z does with other programs. The screen is
 * there again once the shell brings it back (`fg`), and at once where no shell controls jobs. Commands that a turn has begun have
 * sessions of their own and go on meanwhile.
 */
export function suspend(tui: TUI, { isClosed }: { readonly isClosed: () => boolean }): void {
  tui.stop();
  setTimeout(() => {
    if (isClosed()) return;
    tui.start();
    tui.requestRender(true);
  }, BACK_MS);
  process.kill(0, 'SIGTSTP');
}
