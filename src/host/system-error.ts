/** An error with a system code such as `ENOENT`, for refusals that the operating system itself would not make. */
export function systemError(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
