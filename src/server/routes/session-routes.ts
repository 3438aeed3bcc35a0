import { SESSION_ENDPOINTS as API, type ListedSession, type ShownSession } from '../../api/session-endpoints.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { openRequests, type SessionState } from '../../protocol/session-state.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { allowedFolder } from '../allowed-folder.ts';
import { route, type Route } from '../route.ts';

const PAGE = 50;
const MOST_PAGE = 500;

/** Sessions: made, listed, shown, changed, forked, taken back, exported, removed. */
export function sessionRoutes(): readonly Route[] {
  return [
    route(API.listSessions, async ({ tenant, query: { cwd, limit = PAGE, offset = 0, agents, status, text } }) => {
      const [most, from] = [Math.min(Math.max(Number(limit), 1), MOST_PAGE), Number(offset)];
      const found = await tenant.runtime.sessions.list({ limit: most + 1, offset: from, ...(cwd === undefined ? {} : { cwd }), ...(agents === 'true' ? { agents: true } : {}), ...(status === undefined ? {} : { status }), ...(text === undefined ? {} : { text: text.trim() }) });
      return { sessions: found.slice(0, most).map(listed), ...(found.length > most ? { next: from + most } : {}) };
    }),
    route(API.createSession, async ({ tenant, body }) => ({ id: await tenant.runtime.sessions.create({ ...body, cwd: allowedFolder(tenant, body.cwd) }) })),
    route(API.showSession, async ({ tenant, params: { id } }) => shown(listed(await tenant.runtime.sessions.get(id)), await tenant.runtime.sessions.state(id))),
    route(API.changeSession, async ({ tenant, params: { id }, body }) => {
      await tenant.runtime.configure(id, body);
      return { id };
    }),
    route(API.removeSession, async ({ tenant, params: { id } }) => {
      await tenant.runtime.sessions.get(id);
      return { removed: id, notes: await tenant.runtime.sessions.remove(id) };
    }),
    route(API.exportSession, async ({ tenant, params: { id } }) => {
      await tenant.runtime.sessions.get(id);
      return new Response(lines(tenant.runtime.sessions.events(id)), { headers: { 'content-type': 'application/x-ndjson; charset=utf-8', 'content-disposition': `attachment; filename="${id.replace(/[^\w-]/g, '_')}.jsonl"` } });
    }),
    route(API.forkSession, async ({ tenant, params: { id }, body }) => ({ id: await tenant.runtime.sessions.fork(id, body.at_seq) })),
    route(API.planRewind, async ({ tenant, params: { id }, query: { to_seq, turn } }) => (await tenant.runtime.rewind(id)).plan(messageOf(to_seq === undefined ? undefined : Number(to_seq), turn))),
    route(API.rewindSession, async ({ tenant, params: { id }, body: { to_seq, turn, overwrite = false, files = true, conversation = true } }) => (await tenant.runtime.rewind(id)).run(messageOf(to_seq, turn), { overwrite, files, conversation })),
    route(API.compactSession, async ({ tenant, params: { id } }) => tenant.runtime.compact(id)),
    route(API.unloadSkill, async ({ tenant, params: { id, skill } }) => {
      await tenant.runtime.unloadSkill(id, skill);
      return { unloaded: true };
    }),
  ];
}

function messageOf(toSeq: number | undefined, turn: string | undefined): number | string {
  const given = toSeq ?? turn;
  if (given === undefined || (toSeq !== undefined && turn !== undefined)) throw new SkillmintError('invalid_argument', 'Name the message by "to_seq", the number of its event, or by "turn", the id of its turn, and not by both.');
  return given;
}

type Summary = Awaited<ReturnType<Runtime['sessions']['list']>>[number];

function listed({ session_id, ...rest }: Summary): ListedSession {
  return { id: session_id, ...rest };
}

function shown(session: ListedSession, state: SessionState): ShownSession {
  const { permission_mode, sandbox, todos, turn, usage, cost_usd, context, skills, agents, bound } = state;
  return {
    ...session, permission_mode, sandbox, todos, usage, cost_usd, context_tokens: context.tokens,
    ...(bound ? { skill: bound.skill_id } : {}),
    ...(turn ? { turn: { turn_id: turn.turn_id, status: turn.status, steps: turn.steps, ...(turn.error ? { error: turn.error } : {}) } } : {}),
    skills: [...skills.values()].map(({ skill_id, trigger, digest }) => ({ skill_id, trigger, digest })),
    agents: [...agents.values()],
    open: openRequests(state).map(({ call, question }) => ({ ...question, call_id: call.call_id, tool: call.tool, input: call.input })),
  };
}

function lines(events: AsyncIterable<object>): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
