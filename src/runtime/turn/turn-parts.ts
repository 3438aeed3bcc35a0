import type { RuntimeParts } from '../parts.ts';
import type { SessionBinder } from '../session/session-binder.ts';

/** What starts turns. */
export interface TurnParts {
  readonly parts: RuntimeParts;
  readonly binder: SessionBinder;
}
