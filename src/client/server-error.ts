/** What a server has refused, or could not do. `status` is 0 where there was no answer. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly status: number;
  readonly code: string;

  constructor(message: string, { status, code, cause }: { readonly status: number; readonly code: string; readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
  }
}

/** Of a proxy before a server that does not run at the moment, and of a server that is about to end. */
const FOR_A_WHILE = new Set([502, 503, 504]);

/** True where there was no answer, or one that says that there is none at the moment: the same request may be taken later. */
export function isForAWhile(error: unknown): boolean {
  return error instanceof ServerError && (error.status === 0 || FOR_A_WHILE.has(error.status));
}
