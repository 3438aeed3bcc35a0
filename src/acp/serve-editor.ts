import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import { messageOf, systemCode } from '../protocol/errors.ts';
import { editorAgent, type AgentAppParts } from './agent-app.ts';

/** What the library calls the usual end. */
const CLOSED = 'ACP connection closed';

/** What an editor is served with. */
export interface ServeEditorOptions extends Omit<AgentAppParts, 'gone' | 'onFault'> {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the connection. */
  readonly stop: AbortSignal;
}

/**
 * Serves one editor over a pair of streams until its end of the input, or `stop`. Turns that run then are stopped and stored; what they
 * ask at that moment stays open. Resolves to a sentence where the connection broke, and to nothing where it was closed.
 */
export async function serveEditor({ input, output, stop, log, ...parts }: ServeEditorOptions): Promise<string | undefined> {
  const gone = new AbortController();
  const onFault = (error: unknown): void => log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const { app, end: endSessions } = editorAgent({ ...parts, log, gone: gone.signal, onFault });
  const connection = app.connect(ndJsonStream(Writable.toWeb(output), Readable.toWeb(input)));
  const end = (): void => connection.close();
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  // Not each version of Node rejects the write that failed.
  const breakOff = (error: unknown): void => connection.close(error);
  output.once('error', breakOff);
  try {
    await connection.closed;
    const { reason } = connection.signal;
    return stop.aborted || isGone(reason) ? undefined : messageOf(reason);
  } finally {
    stop.removeEventListener('abort', end);
    output.off('error', breakOff);
    gone.abort();
    await endSessions();
  }
}

/** The editor has ended the connection, at whichever side; all else is a fault. */
function isGone(reason: unknown): boolean {
  return messageOf(reason) === CLOSED || systemCode(reason) === 'EPIPE';
}
