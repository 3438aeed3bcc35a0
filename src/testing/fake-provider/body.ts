import { anthropicError, anthropicFrames } from './anthropic-frames.ts';
import { chatError, chatFrames } from './chat-frames.ts';
import { responsesError, responsesFrames } from './responses-frames.ts';
import type { FakeApi, FakeReply } from './script.ts';

const FORMATS = {
  'anthropic': { frames: anthropicFrames, error: anthropicError },
  'openai-chat': { frames: chatFrames, error: chatError },
  'openai-responses': { frames: responsesFrames, error: responsesError },
} as const;

/** The bytes of a reply's body, with those faults in it that are faults of the text. */
export function bodyOf(api: FakeApi, reply: FakeReply, nonce: string): Buffer {
  const format = FORMATS[api];
  const frames = format.frames(reply, nonce);
  const { fault } = reply;
  switch (fault?.kind) {
    case 'no_end_event': return Buffer.from(frames.slice(0, -1).join(''));
    case 'error_event': return Buffer.from([...frames.slice(0, -1), format.error(fault.code, fault.message)].join(''));
    case 'glued': return Buffer.from(frames.map((frame, index) => (index >= frames.length - 3 ? frame.trimEnd().replace(/^event: .*\n/, '') : frame)).join('') + '\n\n');
    case 'invalid_utf8': return withBadByte(Buffer.from(frames.join('')));
    default: return Buffer.from(frames.join(''));
  }
}

function withBadByte(body: Buffer): Buffer {
  const middle = Math.floor(body.length / 2);
  return Buffer.concat([body.subarray(0, middle), Buffer.from([0xff]), body.subarray(middle)]);
}
