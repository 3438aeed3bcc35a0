import { endpoint, NONE } from './endpoint.ts';
import { flag, list, object, oneOf, optional, shaped, text } from './schema.ts';

const MEBIBYTE = 1_048_576;
/** Pictures and documents come as base64 within the message. */
const MESSAGE_BYTES = 32 * MEBIBYTE;
const TEXT_CHARS = 4 * MEBIBYTE;

const ATTACHMENT = object({ media_type: oneOf(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf']), data: text({ min: 4, max: MESSAGE_BYTES, pattern: '^[A-Za-z0-9+/]+={0,2}$', description: 'base64' }), name: optional(text({ max: 200 })) });
const TURN = object({ turn_id: text() });

/** Turns: messages, answers, stops, and the events that tell of them. */
export const TURN_ENDPOINTS = {
  sendMessage: endpoint({
    method: 'POST', path: '/api/sessions/:id/messages', status: 202, most: MESSAGE_BYTES,
    summary: 'Sends a message: to the turn that runs, or as the beginning of one. With the header Idempotency-Key a repeated one is taken once.',
    query: NONE,
    body: object({ text: text({ min: 1, max: TEXT_CHARS }), skill: optional(text({ min: 1, pattern: '^\\S+$', description: 'Name or id of a skill to be loaded with it.' })), tools: optional(oneOf(['all', 'none'])), model: optional(text({ min: 1 })), attachments: optional(list(ATTACHMENT, { max: 20 })) }),
    answer: TURN,
  }),
  answer: endpoint({
    method: 'POST', path: '/api/sessions/:id/answers', status: 202, summary: 'Answers what a session waits for, and goes on.', query: NONE,
    body: object({ request_id: optional(text({ description: 'The oldest open one when left out.' })), answer: optional(text({ max: TEXT_CHARS })), decision: optional(oneOf(['allow', 'deny'])), scope: optional(oneOf(['once', 'always'])), reason: optional(text({ max: 10_000 })) }),
    answer: TURN,
  }),
  resume: endpoint({ method: 'POST', path: '/api/sessions/:id/resume', status: 202, summary: 'Goes on with a turn that the end of a program has cut off.', query: NONE, body: object({ model: optional(text({ min: 1 })) }), answer: TURN }),
  cancel: endpoint({ method: 'POST', path: '/api/sessions/:id/cancel', summary: 'Stops the turn of a session, with all that it has begun.', query: NONE, body: NONE, answer: object({ cancelled: flag('False where no turn ran, or the process that runs it could not be reached.') }) }),
  followEvents: endpoint({
    method: 'GET', path: '/api/sessions/:id/events', answerType: 'text/event-stream',
    summary: 'Server-sent events: first everything stored after Last-Event-ID (or ?after=), then what happens. `id` is the number of a stored event; what is being said comes again from its start at each connection.',
    query: object({ after: optional(text({ pattern: '^[0-9]{1,12}$' })) }), body: NONE, answer: shaped<Response>('Events.'),
  }),
};
