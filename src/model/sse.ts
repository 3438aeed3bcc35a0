import { createParser } from 'eventsource-parser';
import { isObject, parseJson } from '../protocol/json.ts';
import { END_MARK, type WireEvent } from './wire.ts';

/** One event of a stream, or why what came is none. */
export type Frame = { readonly kind: 'event'; readonly event: WireEvent } | { readonly kind: 'broken'; readonly why: string };

/** Turns the bytes of a reply into events. Frames may be cut and glued by the network in any way; nothing is guessed. */
export interface FrameDecoder {
  push(bytes: Uint8Array): readonly Frame[];
  /** The stream has ended: what was not yet a whole frame is one now, or is broken. */
  end(): readonly Frame[];
  /** The first characters of the stream, to tell what it is when it holds no events. */
  start(): string;
}

const START_LENGTH = 2_000;

/** A decoder for one reply of at most `maxBytes`. */
export function frameDecoder(limits: { readonly maxBytes: number }): FrameDecoder {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let frames: Frame[] = [];
  let start = '';
  let bytesSeen = 0;
  const parser = createParser({ onEvent: ({ data }) => { if (data !== '') frames.push(frameOf(data)); } });

  const feed = (decode: () => string): readonly Frame[] => {
    frames = [];
    const text = textOrNothing(decode);
    if (text === undefined) return [{ kind: 'broken', why: 'it holds invalid UTF-8' }];
    if (start.length < START_LENGTH) start = (start + text).slice(0, START_LENGTH);
    parser.feed(text);
    return frames;
  };
  return {
    push: (bytes) => {
      bytesSeen += bytes.length;
      if (bytesSeen > limits.maxBytes) return [{ kind: 'broken', why: `it is larger than ${limits.maxBytes} bytes` }];
      return feed(() => decoder.decode(bytes, { stream: true }));
    },
    end: () => feed(() => `${decoder.decode()}\n\n`),
    start: () => start,
  };
}

function textOrNothing(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

function frameOf(data: string): Frame {
  if (data.trim() === END_MARK) return { kind: 'event', event: END_MARK };
  const event = parseJson(data);
  return isObject(event) ? { kind: 'event', event } : { kind: 'broken', why: 'an event in it is cut or no JSON object' };
}
