import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { devtoolsTransport, MOST_MESSAGE_BYTES } from '../../src/browser/devtools-pipe.ts';

interface Played {
  readonly said: readonly unknown[];
  readonly sent: () => string;
  readonly happened: readonly string[];
  from(text: string | Buffer): Promise<void>;
  send(message: object): void;
}

/** The transport with streams in the place of a browser. */
function played(): Played {
  const [toBrowser, fromBrowser] = [new PassThrough(), new PassThrough()];
  const [said, happened]: [unknown[], string[]] = [[], []];
  const transport = devtoolsTransport({ toBrowser, fromBrowser, end: () => void happened.push('ended'), onTooLong: () => void happened.push('too long') });
  Object.assign(transport, { onmessage: (message: object) => void said.push(message), onclose: () => void happened.push('closed') });
  return {
    said,
    happened,
    sent: () => String(toBrowser.read() ?? ''),
    from: async (text) => {
      fromBrowser.write(text);
      await new Promise((resolve) => setTimeout(resolve, 10));
    },
    send: (message) => transport.send(message),
  };
}

describe('the pipe to the browser', () => {
  it('carries messages, however they are cut', async () => {
    const { said, sent, from, send } = played();
    await from('{"id":1}\0{"id":2,"text":"Kä');
    await from('the"}\0{"id":');
    expect(said).toEqual([{ id: 1 }, { id: 2, text: 'Käthe' }]);
    await from('3}\0');
    expect(said).toHaveLength(3);
    send({ id: 4 });
    expect(sent()).toBe('{"id":4}\0');
  });

  it('ends the browser where a message has no end, before it is taken in', async () => {
    const { said, happened, from, send, sent } = played();
    const part = Buffer.alloc(1024 * 1024, 'x');
    await from('{"id":1}\0');
    for (let count = 0; count * part.length <= MOST_MESSAGE_BYTES; count += 1) await from(part);
    expect(happened).toEqual(['too long', 'ended', 'closed']);
    await from('"}\0{"id":2}\0');
    send({ id: 3 });
    expect([said, sent()]).toEqual([[{ id: 1 }], '']);
  });

  it.each(['no JSON\0', '5\0', '\0'])('ends it where it says %j', async (text) => {
    const { said, happened, from } = played();
    await from(text);
    expect([said, happened]).toEqual([[], ['ended', 'closed']]);
  });
});
