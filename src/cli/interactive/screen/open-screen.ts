import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from '../../../config/paths.ts';
import { homeFolder } from '../../../host/home-folder.ts';
import { localHost } from '../../../host/local-host.ts';
import { messageOf } from '../../../protocol/errors.ts';
import { isUsable } from '../../../skills/discover/skill-entry.ts';
import { oneLine, printable } from '../../terminal.ts';
import { contextWindow } from '../../../runtime/settings/context-window.ts';
import type { Face, Whereabouts } from '../face.ts';
import { SLASH_COMMANDS } from '../slash-commands.ts';
import { completions, type Completable } from './completions.ts';
import { askIn } from './dialog-slot.ts';
import { confirmDialog, permissionDialog, pickDialog, questionDialog } from './dialogs.ts';
import { messageHistory } from './history-file.ts';
import { listenToKeys } from './screen-keys.ts';
import { screenParts, type ScreenParts } from './screen-parts.ts';
import { deliver, emptyScreenState, type ScreenState } from './screen-state.ts';
import { restoreAtExit } from './screen-terminal.ts';
import { catchUp, showTurn, steer } from './screen-turn.ts';
import { showWork } from './screen-work.ts';

/** Longer than the library waits between two frames, ms. */
const LAST_FRAME_MS = 40;

/** A face that keeps the whole of the terminal. */
export interface Screen extends Face {
  /** The same as `print`, for those that cannot wait. */
  tell(text: string): void;
}

/** Opens the screen at once: a message can be written while the rest of the program is still on its way. */
export function openScreen({ cwd, ephemeral }: { readonly cwd: string; readonly ephemeral: boolean }): Screen {
  const now = Date.now;
  const state = emptyScreenState();
  const parts = screenParts(state, { folder: cwd, now });
  const { tui, view, paint } = parts;
  const restored = restoreAtExit();
  const tell = (text: string): void => {
    view.print(text);
    tui.requestRender();
  };
  const report = (error: unknown): void => tell(paint.red(oneLine(messageOf(error))));
  const end = (): void => {
    state.isEnded = true;
    state.running?.stop();
    state.dialog?.dismiss();
    state.reader?.(undefined);
    state.reader = undefined;
  };
  const changeMode = (mode: string): void => {
    state.where?.change(mode).catch(report);
  };
  listenToKeys(parts, state, { end, now, changeMode, notice: (text) => tell(paint.dim(text)) });
  prepareEditor(parts, state, { cwd, ephemeral, report });
  tui.start();
  for (const event of ['end', 'error', 'close']) process.stdin.on(event, end);
  return {
    asksAnytime: true,
    tell,
    end,
    print: async (text) => tell(text),
    notice: async (text) => tell(paint.dim(oneLine(text))),
    report: async (error) => report(error),
    greet: async () => tell(`${paint.bold('skillmint')} ${paint.dim('· /help for commands, Esc stops, Ctrl-D ends')}`),
    async show(turn) {
      const result = await showTurn(parts, state, turn, now);
      await learnWindow(parts, state);
      return result;
    },
    work: (what, run) => showWork(parts, state, { what, now, run }),
    ask: (open) => askIn(parts, state, now, (dialog) => (open.question.kind === 'question' ? questionDialog(open, dialog) : permissionDialog(open, dialog))),
    confirm: async (question) => (await askIn<boolean>(parts, state, now, (dialog) => confirmDialog(oneLine(question), dialog))) ?? false,
    pick: async (title, from) => askIn<string | undefined>(parts, state, now, (dialog) => pickDialog(title, from, dialog), { awaited: true }),
    suggest(text) {
      if (parts.editor.getText() === '') parts.editor.setText(text);
      tui.requestRender();
    },
    enter: (where) => enter(parts, state, where),
    async read() {
      const kept = state.kept.shift();
      if (kept !== undefined) return kept;
      if (state.isEnded) return undefined;
      return new Promise((resolve) => {
        state.reader = resolve;
      });
    },
    async close() {
      for (const event of ['end', 'error', 'close']) process.stdin.off(event, end);
      state.isClosed = true;
      parts.foot.clear();
      tui.requestRender();
      await sleep(LAST_FRAME_MS);
      tui.stop();
      restored();
    },
  };
}

/** What is sent goes to whoever waits, or into the turn that runs; it can be had back with the arrow keys. */
function prepareEditor({ editor }: ScreenParts, state: ScreenState, { cwd, ephemeral, report }: { readonly cwd: string; readonly ephemeral: boolean; readonly report: (error: unknown) => void }): void {
  const history = ephemeral ? undefined : messageHistory(dataFolder(process.env, homeFolder(process.env)));
  for (const text of history?.load() ?? []) editor.addToHistory(text);
  editor.onSubmit = (text) => {
    if (text.trim() === '') return;
    editor.addToHistory(text);
    history?.add(text);
    if (state.running) steer(state, text, report).catch(report);
    else deliver(state, text);
  };
  editor.setAutocompleteProvider(completions({ commands: () => completables(state), search: localHost({ env: process.env }).search, cwd: () => state.where?.cwd ?? cwd, now: Date.now }));
}

/** Commands, then the skills of the folder. */
async function completables({ where }: ScreenState): Promise<readonly Completable[]> {
  if (!where) return SLASH_COMMANDS;
  const { entries } = await where.runtime.skills(where.cwd);
  return [...SLASH_COMMANDS, ...entries.filter((entry) => isUsable(entry) && printable(entry.handle) === entry.handle).map(({ handle, description }) => ({ name: handle, help: description }))];
}

/** Shows the session that goes on; nothing where a new one begins. */
async function enter(parts: ScreenParts, state: ScreenState, where: Whereabouts): Promise<void> {
  const { sessionId, runtime } = where;
  state.where = where;
  if (sessionId !== undefined) await catchUp(parts, state, runtime, sessionId);
  else if (state.session.session_id !== '') {
    state.session = emptyScreenState().session;
    for (const text of parts.view.clear()) parts.view.print(text);
  }
  await learnWindow(parts, state);
}

/** Looks up how much the model's context holds. */
async function learnWindow({ tui }: ScreenParts, state: ScreenState): Promise<void> {
  const { where, session } = state;
  state.window = session.model === '' || !where ? undefined : await contextWindow(where.runtime, where.cwd, session.model);
  tui.requestRender();
}
