import type { Component } from '@mariozechner/pi-tui';
import { emptySessionState, type SessionState } from '../../../protocol/session-state.ts';
import type { RunningTurn } from '../../../runtime/runtime.ts';
import type { Whereabouts } from '../face.ts';

/** What a dialog shows; `back` goes a step back and is true, where there is one. */
export type DialogComponent = Component & { readonly back?: () => boolean };

/** A dialog in the place of the editor. */
export interface OpenDialog {
  readonly component: DialogComponent;
  /** Ends it without an answer. */
  readonly dismiss: () => void;
  /** False until the person has seen it: what they were typing is no answer to it. */
  isArmed: boolean;
}

/** What runs: a turn, or work that a command has begun. */
export interface RunningWork {
  /** In a word. */
  readonly what: string;
  /** ms since 1970. */
  readonly since: number;
  readonly stop: () => void;
  /** Takes messages. */
  readonly turn?: RunningTurn;
  /** The latest that it has told. */
  line?: string;
  isStopping: boolean;
}

/** What a screen knows; changed in place by the screen alone. */
export interface ScreenState {
  /** The session as far as it was shown. */
  session: SessionState;
  where: Whereabouts | undefined;
  /** Tokens that the model's context holds. */
  window: number | undefined;
  running: RunningWork | undefined;
  /** Messages that were sent into the turn and have not been taken in. */
  steered: string[];
  /** Lines that wait for the end of the turn. */
  kept: string[];
  reader: ((text: string | undefined) => void) | undefined;
  dialog: OpenDialog | undefined;
  isEnded: boolean;
  /** The last frame is on its way. */
  isClosed: boolean;
  /** Ctrl-C was pressed with nothing to stop: once more ends. */
  isLeaving: boolean;
  /** ms since 1970. */
  lastKeyAt: number;
}

/** Hands a line to whoever waits for one, or keeps it. */
export function deliver(state: ScreenState, text: string): void {
  const { reader } = state;
  state.reader = undefined;
  if (reader) reader(text);
  else state.kept.push(text);
}

/** Before anything is known. */
export function emptyScreenState(): ScreenState {
  return { session: emptySessionState(''), where: undefined, window: undefined, running: undefined, steered: [], kept: [], reader: undefined, dialog: undefined, isEnded: false, isClosed: false, isLeaving: false, lastKeyAt: 0 };
}
