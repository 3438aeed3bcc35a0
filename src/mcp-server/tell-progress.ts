import type { ServerContext } from '@modelcontextprotocol/server';

const LINE_CHARS = 200;
/** Not more often than this, ms. */
const PAUSE_MS = 200;

/** Tells a client that wants to know how far a script is: the bytes that it has written, and its last line. */
export function tellProgress({ mcpReq }: ServerContext): (chunk: Uint8Array) => void {
  const token = mcpReq._meta?.progressToken;
  let [bytes, toldAt] = [0, 0];
  return (chunk) => {
    bytes += chunk.length;
    const now = performance.now();
    if (token === undefined || now - toldAt < PAUSE_MS) return;
    toldAt = now;
    const line = new TextDecoder().decode(chunk).trim().split('\n').at(-1) ?? '';
    // Progress that cannot be told is missed; the result says what came out.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, progress: bytes, message: line.slice(0, LINE_CHARS) } }).catch(() => undefined);
  };
}
