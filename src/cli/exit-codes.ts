import type { ErrorCode } from '../protocol/errors.ts';
import type { TurnStatus } from '../protocol/events.ts';

/** Exit codes of the program, as documented in its help. */
export const EXIT = { done: 0, failed: 1, usage: 2, waiting: 3, limit: 4, notFound: 5, refused: 6, noSandbox: 78, interrupted: 130 } as const;

/** Exit code of a turn. */
export function exitOfTurn(status: TurnStatus): number {
  switch (status) {
    case 'done': return EXIT.done;
    case 'waiting': return EXIT.waiting;
    case 'limit': return EXIT.limit;
    case 'cancelled': return EXIT.interrupted;
    case 'failed': return EXIT.failed;
  }
}

/** Exit code of an error. */
export function exitOfError(code: ErrorCode): number {
  switch (code) {
    case 'usage':
    case 'invalid_argument':
    case 'config_invalid':
    case 'config_unreadable':
    case 'key_missing': return EXIT.usage;
    case 'not_found':
    case 'session_not_found':
    case 'model_unknown':
    case 'provider_unknown':
    case 'skill_not_found':
    case 'skill_ambiguous':
    case 'script_not_found':
    case 'nothing_to_answer':
    case 'nothing_to_resume':
    case 'request_not_open': return EXIT.notFound;
    case 'skill_exists':
    case 'library_invalid':
    case 'permission_denied':
    case 'not_trusted':
    case 'skillpack_refused':
    case 'plugin_refused':
    case 'path_refused':
    case 'egress_refused':
    case 'install_refused': return EXIT.refused;
    case 'sandbox_unavailable': return EXIT.noSandbox;
    case 'interrupted': return EXIT.interrupted;
    case 'library_busy':
    case 'call_failed':
    case 'turn_ended':
    case 'message_repeated':
    case 'session_busy':
    case 'session_fenced':
    case 'queue_busy':
    case 'store_unavailable':
    case 'store_corrupt':
    case 'store_full':
    case 'model_failed':
    case 'network_failed':
    case 'context_overflow':
    case 'output_invalid':
    case 'spawn_failed':
    case 'timeout':
    case 'output_limit':
    case 'io': return EXIT.failed;
  }
}
