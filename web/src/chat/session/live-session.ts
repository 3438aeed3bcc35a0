import type { SessionState } from '../../../../src/protocol/session-state.ts';
import type { Transcript } from '../../../../src/protocol/transcript/transcript.ts';

/** A session as the page follows it; a new object with each change that can be seen. */
export interface LiveSession {
  readonly id: string;
  /** The fold of its stored events; changed in place, so whoever shows it goes by `LiveSession` being new. */
  readonly state: SessionState;
  readonly transcript: Transcript;
  /** `loading` until what is stored was read; `broken` while a new connection is tried. */
  readonly connection: 'loading' | 'live' | 'broken';
  /** Why it cannot be followed. */
  readonly problem?: unknown;
}
