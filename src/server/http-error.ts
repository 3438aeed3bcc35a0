import { SkillmintError, type ErrorCode } from '../protocol/errors.ts';

/** The status that an error answers with. */
export function statusOf(code: ErrorCode): 400 | 403 | 404 | 408 | 409 | 413 | 422 | 424 | 429 | 500 | 501 | 502 | 503 | 507 {
  switch (code) {
    case 'usage':
    case 'invalid_argument': return 400;
    case 'permission_denied':
    case 'not_trusted':
    case 'path_refused':
    case 'egress_refused': return 403;
    case 'not_found':
    case 'session_not_found':
    case 'model_unknown':
    case 'provider_unknown':
    case 'skill_not_found':
    case 'script_not_found': return 404;
    case 'nothing_to_answer':
    case 'nothing_to_resume':
    case 'request_not_open':
    case 'turn_ended':
    case 'message_repeated':
    case 'skill_exists':
    case 'skill_ambiguous':
    case 'session_busy':
    case 'session_fenced':
    case 'queue_busy':
    case 'library_busy':
    case 'interrupted': return 409;
    case 'output_limit': return 413;
    case 'config_invalid':
    case 'config_unreadable':
    case 'key_missing':
    case 'library_invalid':
    case 'skillpack_refused':
    case 'plugin_refused':
    case 'install_refused':
    case 'output_invalid':
    case 'call_failed':
    case 'context_overflow': return 422;
    case 'network_failed': return 424;
    case 'model_failed':
    case 'timeout': return 502;
    case 'sandbox_unavailable':
    case 'store_unavailable': return 503;
    case 'store_full': return 507;
    case 'spawn_failed': return 501;
    case 'store_corrupt':
    case 'io': return 500;
  }
}

/** The answer for an error: `{ error, code }`. Of a fault of the program nothing is told but that; `onFault` gets it. */
export function errorAnswer(error: unknown, onFault: (error: unknown) => void): Response {
  if (error instanceof SkillmintError) return refusal(statusOf(error.code), error.code, error.message);
  onFault(error);
  return refusal(500, 'internal', 'The server failed at this request; its log says more.');
}

/** An answer that refuses: one sentence, and a code. */
export function refusal(status: number, code: string, error: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ error, code }, { status, headers });
}
