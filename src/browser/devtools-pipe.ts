import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';

/** The two ends of the pipe over which a browser is driven. */
export interface DevtoolsPipe {
  readonly toBrowser: Writable;
  readonly fromBrowser: Readable;
  /** Ends the browser; its end closes the pipe. */
  readonly end: () => void;
  /** Called before that when a message is longer than it may be. */
  readonly onTooLong: () => void;
}

/** A picture of a long page is about 50 MB; whatever is longer is no answer, but a page that writes to us what it likes. */
export const MOST_MESSAGE_BYTES = 64 * 1024 * 1024;
const END = 0;

/**
 * Messages of the protocol that drives the browser, each ended by a zero byte. Pages decide how long some of them are (what they
 * write to the console, for one), so none is taken in whole without a bound.
 */
export function devtoolsTransport({ toBrowser, fromBrowser, end, onTooLong }: DevtoolsPipe): ConnectOverCDPTransport {
  let parts: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  const transport: ConnectOverCDPTransport = {
    send: (message) => {
      if (!isOver) toBrowser.write(`${JSON.stringify(message)}\0`);
    },
    close: end,
  };
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    parts = [];
    transport.onclose?.();
  };
  const deliver = (text: string): void => {
    if (isOver) return;
    const message = parsed(text);
    if (message) return transport.onmessage?.(message);
    end();
    over();
  };
  const take = (part: Buffer): boolean => {
    bytes += part.length;
    if (bytes <= MOST_MESSAGE_BYTES) return parts.push(part) > 0;
    onTooLong();
    end();
    over();
    return false;
  };
  const finish = (): void => {
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    bytes = 0;
    // Each message gets a turn of its own, so that whoever waits for one goes on before the next.
    setImmediate(deliver, text);
  };
  fromBrowser.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(END); !isOver && at >= 0; at = chunk.indexOf(END, from)) {
      if (take(chunk.subarray(from, at))) finish();
      from = at + 1;
    }
    if (!isOver && from < chunk.length) take(chunk.subarray(from));
  });
  fromBrowser.on('close', over);
  // The end of the pipe is told by its closing.
  for (const stream of [toBrowser, fromBrowser]) stream.on('error', () => undefined);
  return transport;
}

/** Undefined for what no browser says that is driven so. */
function parsed(text: string): object | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
