import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { childEnvironment } from '../host/child-environment.ts';
import type { CommandExit, Host, RunningCommand } from '../host/host.ts';
import { messageOf } from '../protocol/errors.ts';
import { isObject, parseJson } from '../protocol/json.ts';
import { cutEnd } from '../util/cut-text.ts';
import { eventQueue, type EventQueue } from '../util/event-queue.ts';
import type { ServerDefinition } from './definition.ts';
import { lineReader, type Line } from './line-reader.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Most bytes of one message. */
export const MOST_MESSAGE = 16 * 1024 * 1024;
/** A program that prints so many bytes between two messages speaks something else. */
const MOST_NOISE = 32 * 1024 * 1024;
const MOST_STDERR = 2_000;
/** Characters of what a program has printed that a sentence about it repeats. */
const MOST_WORDS = 300;
/** A program that has been told by the end of its input has so long to end by itself, in ms. */
const GRACE_MS = 1_000;
const STOPPED = 'it was stopped';
/** An answer that was dropped is an error to whoever waits for it. */
const DROPPED = -32_000;

/** A program that speaks the protocol over its input and output. */
export interface StdioTransport extends Transport {
  /** Why the program has ended, in a few words; undefined while it runs, and when it was ended by `close`. */
  ended(): string | undefined;
  /** True when the program was started and has ended by itself. */
  hasRun(): boolean;
  /** What the program has printed beside messages of the protocol: a line that was none, else the last one of its errors. */
  said(): string | undefined;
  /** Both are looked at by the library to tell a program from a server over HTTP. */
  readonly stderr: null;
  readonly pid: null;
}

type Program = Extract<ServerDefinition, { kind: 'stdio' }>;

/** What a program is started with. */
export interface StdioParts {
  /** Not that of the sandbox: servers do their work outside, with a scrubbed environment. */
  readonly host: Pick<Host, 'start' | 'env'>;
  readonly definition: Program;
}

/** Speaks with one child process, which is started by `start` and gone with its whole tree when `close` has resolved. */
export function stdioTransport({ host, definition }: StdioParts): StdioTransport {
  const input = eventQueue<string>();
  const errors = { text: '' };
  let odd: string | undefined;
  let running: RunningCommand | undefined;
  /** Why it has ended by itself. */
  let ended: string | undefined;
  let isStopped = false;
  let hasRun = false;
  const onLine = messageReader({ onMessage: (message) => transport.onmessage?.(message), onOdd: (text) => { odd ??= text; }, onFault: (problem) => fail(problem) });
  const fail = (problem: string): void => {
    ended ??= problem;
    transport.onerror?.(new Error(problem));
    running?.stop(0).catch((error: unknown) => transport.onerror?.(new Error(messageOf(error))));
  };
  const transport: StdioTransport = {
    stderr: null,
    pid: null,
    ended: () => ended,
    hasRun: () => hasRun,
    said: () => lastWords(withoutSecrets(odd ?? errors.text, definition)),
    start: async () => {
      // The library starts it for its first question and again for the connection.
      if (ended !== undefined || isStopped) throw new Error(ended ?? STOPPED);
      if (running) return;
      const read = lineReader(MOST_MESSAGE);
      running = host.start({
        argv: definition.argv,
        cwd: definition.cwd,
        env: childEnvironment(host.env, definition.env),
        stdin: input,
        onOutput: (chunk, stream) => {
          if (stream === 'stdout') for (const line of read(chunk)) onLine(line);
          else errors.text = cutEnd(errors.text + new TextDecoder().decode(chunk), MOST_STDERR);
        },
      });
      const onEnd = (exit: CommandExit): void => {
        hasRun = exit.error === undefined && ended === undefined && !isStopped;
        if (!isStopped) ended ??= endOf(exit, withoutSecrets(errors.text, definition));
        input.end();
        transport.onclose?.();
      };
      running.exit.then(onEnd, (error: unknown) => onEnd({ code: null, signal: null, error: messageOf(error) }));
    },
    send: (message) => sendTo(input, message, ended ?? (isStopped ? STOPPED : undefined)),
    close: async () => {
      isStopped = true;
      input.end();
      await running?.stop(GRACE_MS);
    },
  };
  return transport;
}

async function sendTo(input: EventQueue<string>, message: JSONRPCMessage, ended: string | undefined): Promise<void> {
  if (ended !== undefined) throw new Error(ended);
  input.push(`${JSON.stringify(message)}\n`);
}

/** Lines that are no messages are left aside, as long as they are not too many; of one that is too long, the waiting request is told. */
function messageReader({ onMessage, onOdd, onFault }: { readonly onMessage: (message: JSONRPCMessage) => void; readonly onOdd: (text: string) => void; readonly onFault: (problem: string) => void }): (line: Line) => void {
  let noise = 0;
  return (line) => {
    const message = 'text' in line ? parseJson(line.text) : droppedAnswer(line);
    if (isMessage(message)) {
      noise = 0;
      return onMessage(message);
    }
    if ('text' in line && line.text.trim() !== '') onOdd(line.text);
    noise += 'text' in line ? line.text.length : MOST_MESSAGE;
    if (noise > MOST_NOISE) onFault('it prints something else than messages of the protocol');
  };
}

function droppedAnswer({ head, tail }: Extract<Line, { head: string }>): JSONRPCMessage | undefined {
  const id = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(head)?.[1] ?? /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1];
  if (id === undefined) return undefined;
  return { jsonrpc: '2.0', id: Number(id), error: { code: DROPPED, message: `the answer is larger than ${MOST_MESSAGE / 1024 / 1024} MiB and was dropped; ask for less at once` } };
}

/** The library looks at the rest. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return isObject(value) && value['jsonrpc'] === '2.0';
}

function endOf({ code, signal, error }: CommandExit, stderr: string): string {
  if (error !== undefined) return `it could not be started: ${error}`;
  const last = lastWords(stderr);
  return `it ended with ${signal === null ? `exit status ${code ?? 0}` : signal}${last === undefined ? '' : `: ${last}`}`;
}

/** The last line, cut. */
function lastWords(text: string): string | undefined {
  const last = text.trim().split('\n').at(-1)?.trim().slice(-MOST_WORDS);
  return last === '' ? undefined : last;
}
