/**
 * Stable codes of everything that can go wrong. Faces turn them into exit codes and HTTP statuses;
 * the message beside them says what, where and what to do.
 */
export type ErrorCode =
  | 'usage'
  | 'config_invalid'
  | 'config_unreadable'
  | 'not_found'
  | 'session_not_found'
  | 'session_busy'
  | 'session_fenced'
  | 'queue_busy'
  | 'store_unavailable'
  | 'store_corrupt'
  | 'store_full'
  | 'model_unknown'
  | 'provider_unknown'
  | 'key_missing'
  | 'model_failed'
  | 'context_overflow'
  | 'skill_not_found'
  | 'skill_ambiguous'
  | 'script_not_found'
  | 'skill_exists'
  | 'library_invalid'
  | 'library_busy'
  | 'permission_denied'
  | 'not_trusted'
  | 'skillpack_refused'
  | 'plugin_refused'
  | 'path_refused'
  | 'egress_refused'
  | 'network_failed'
  | 'install_refused'
  | 'sandbox_unavailable'
  | 'spawn_failed'
  | 'timeout'
  | 'output_limit'
  | 'call_failed'
  | 'turn_ended'
  | 'message_repeated'
  | 'nothing_to_answer'
  | 'nothing_to_resume'
  | 'request_not_open'
  | 'output_invalid'
  | 'interrupted'
  | 'invalid_argument'
  | 'io';

/** The one error class of the product: a programmer or a face reads `code`, a person reads `message`. */
export class SkillmintError extends Error {
  override readonly name: string = 'SkillmintError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** No skill has the name, or none that can be used. */
export class SkillNotFoundError extends SkillmintError {
  override readonly name = 'SkillNotFoundError';

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super('skill_not_found', message, options);
  }
}

/** A rule, a setting or a person does not let it happen. */
export class PermissionError extends SkillmintError {
  override readonly name = 'PermissionError';

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super('permission_denied', message, options);
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system error such as `ENOENT`, or an empty string. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
