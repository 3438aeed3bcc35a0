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
