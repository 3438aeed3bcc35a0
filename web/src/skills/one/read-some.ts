/** What is shown of a file, at most. */
export const SHOWN_BYTES = 262_144;

/** The beginning of a file. */
export type SomeOfFile = { readonly kind: 'binary' } | { readonly kind: 'text'; readonly text: string; readonly isWhole: boolean };

/** Reads the beginning of a file that the server gives, and no more of it. */
export async function readSome(answer: Response): Promise<SomeOfFile> {
  const isText = (answer.headers.get('content-type') ?? '').startsWith('text/');
  const reader = answer.body?.getReader();
  if (!reader) return { kind: 'text', text: '', isWhole: true };
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let size = 0; isText && size <= SHOWN_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) return { kind: 'text', text: text + decoder.decode(), isWhole: true };
      text += decoder.decode(value.subarray(0, Math.max(0, SHOWN_BYTES - size)), { stream: true });
      size += value.byteLength;
    }
    return isText ? { kind: 'text', text, isWhole: false } : { kind: 'binary' };
  } finally {
    await reader.cancel();
  }
}
