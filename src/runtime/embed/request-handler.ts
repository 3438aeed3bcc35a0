import type { PermissionDecision, PermissionScope } from '../../protocol/permission.ts';
import type { OpenRequest } from '../../protocol/session-state.ts';

/** An answer to what a session waits for. */
export type GivenAnswer =
  | { readonly kind: 'permission'; readonly decision: PermissionDecision; readonly scope: PermissionScope; readonly reason?: string }
  | { readonly kind: 'text'; readonly text: string };

/** Answers what a turn waits for in place of a person; undefined leaves it to one. What it throws ends the turn's `result`, and the turn goes on waiting. */
export type RequestHandler = (request: OpenRequest, session: { readonly sessionId: string; readonly signal: AbortSignal }) => Promise<GivenAnswer | undefined>;
