import { SkillmintError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { PermissionDecision, PermissionScope } from '../../protocol/permission.ts';
import type { OpenRequest } from '../../protocol/session-state.ts';

/** An answer to what a session waits for. */
export type GivenAnswer =
  | { readonly kind: 'permission'; readonly decision: PermissionDecision; readonly scope: PermissionScope; readonly reason?: string }
  | { readonly kind: 'text'; readonly text: string };

/** Answers what a turn waits for in place of a person; undefined leaves it to one. What it throws ends the turn's `result`, and the turn goes on waiting. */
export type RequestHandler = (request: OpenRequest, session: { readonly sessionId: string; readonly signal: AbortSignal }) => Promise<GivenAnswer | undefined>;

/** @throws SkillmintError invalid_argument for what is no answer: it must never count as consent */
export function checkAnswer(given: unknown): void {
  if (isObject(given) && (isText(given) || isDecision(given))) return;
  throw new SkillmintError('invalid_argument', 'An answer is { kind: "permission", decision: "allow" or "deny", scope: "once" or "always", reason? }, or { kind: "text", text } for a question. What was given is neither, so nothing was answered.');
}

function isText({ kind, text }: Readonly<Record<string, unknown>>): boolean {
  return kind === 'text' && typeof text === 'string';
}

function isDecision({ kind, decision, scope, reason }: Readonly<Record<string, unknown>>): boolean {
  return kind === 'permission' && (decision === 'allow' || decision === 'deny') && (scope === 'once' || scope === 'always') && (reason === undefined || typeof reason === 'string');
}
