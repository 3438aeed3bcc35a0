import { TURN_ENDPOINTS as API } from '../../api/turn-endpoints.ts';
import type { BodyOf } from '../../api/endpoint.ts';
import type { UserPart } from '../../protocol/content.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { AnswerRequest } from '../../runtime/runtime.ts';
import { eventStream } from '../event-stream.ts';
import { route, type Route } from '../route.ts';

const KEY = /^[\x21-\x7e]{1,200}$/;

/** Turns: messages, answers, stops, and the events that tell of them. */
export function turnRoutes(): readonly Route[] {
  return [
    route(API.sendMessage, async ({ tenant, params: { id }, body: { skill, attachments = [], text, ...body }, raw }) => {
      const key = raw.headers.get('idempotency-key') ?? undefined;
      if (key !== undefined && !KEY.test(key)) throw new SkillmintError('invalid_argument', 'Idempotency-Key must be 1 to 200 visible ASCII characters.');
      // What a turn begins with cannot be changed while it runs.
      const alone = skill !== undefined || body.model !== undefined || body.tools !== undefined;
      return { turn_id: await tenant.turns.send({ ...body, alone, sessionId: id, text: skill === undefined ? text : `/${skill} ${text}`, attachments: attachments.map(asPart), ...(key === undefined ? {} : { key }) }) };
    }),
    route(API.answer, async ({ tenant, params: { id }, body: { request_id, ...given } }) => ({ turn_id: await tenant.turns.answer({ sessionId: id, answer: asAnswer(given), ...(request_id === undefined ? {} : { requestId: request_id }) }) })),
    route(API.resume, async ({ tenant, params: { id }, body }) => ({ turn_id: await tenant.turns.resume({ ...body, sessionId: id }) })),
    route(API.cancel, async ({ tenant, params: { id } }) => {
      await tenant.runtime.sessions.get(id);
      const ran = tenant.runtime.agents.running(id).length > 0;
      const cancelled = tenant.turns.cancel(id) || ran;
      await tenant.runtime.agents.stop(id);
      return { cancelled: cancelled || (await tenant.runtime.cancelElsewhere(id)) };
    }),
    route(API.followEvents, async ({ tenant, params: { id }, query, raw, signal, isLetIn }) => {
      await tenant.runtime.sessions.get(id);
      const given = raw.headers.get('last-event-id') ?? query.after ?? '0';
      if (!/^[0-9]{1,12}$/.test(given)) throw new SkillmintError('invalid_argument', 'Last-Event-ID must be the number of an event.');
      return eventStream({ follow: (until) => tenant.runtime.sessions.follow(id, { after: Number(given), signal: until }), signal, isLetIn });
    }),
  ];
}

function asPart({ media_type, data, name }: { readonly media_type: string; readonly data: string; readonly name?: string }): UserPart {
  if (media_type === 'application/pdf') return { type: 'document', media_type, data, ...(name === undefined ? {} : { name }) };
  return { type: 'image', media_type, data };
}

function asAnswer({ answer, decision, scope = 'once', reason }: Omit<BodyOf<typeof API.answer>, 'request_id'>): AnswerRequest['answer'] {
  if (answer !== undefined && decision === undefined && reason === undefined) return { kind: 'text', text: answer };
  if (decision !== undefined && answer === undefined) return { kind: 'permission', decision, scope, ...(reason === undefined ? {} : { reason }) };
  throw new SkillmintError('invalid_argument', 'Give either "answer" (to a question) or "decision" (to a permission, with "scope" and "reason").');
}
