import path from 'node:path';
import { textOf } from '../../protocol/content.ts';
import type { StoredEvent } from '../../protocol/events.ts';
import { openRequests, type OpenRequest } from '../../protocol/session-state.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { openRuntime } from '../open-runtime.ts';
import { callLine } from '../run/show-call.ts';
import { questionText } from '../run/question-text.ts';
import { cutStart } from '../../util/cut-text.ts';
import { jsonFor, oneLine, palette, printJson, printable, write } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

async function withRuntime(work: (runtime: Runtime) => Promise<void>): Promise<void> {
  const runtime = await openRuntime({ terminal: false });
  try {
    await work(runtime);
  } finally {
    await runtime.close();
  }
}

/** `skillmint sessions list`. */
export function listSessions(flags: Json & { readonly all?: boolean; readonly agents?: boolean; readonly limit: number } & Pick<NonNullable<Parameters<Runtime['sessions']['list']>[0]>, 'status' | 'text'>): Promise<void> {
  return withRuntime(async (runtime) => {
    const sessions = await runtime.sessions.list({ limit: flags.limit, agents: flags.agents === true, ...(flags.status === undefined ? {} : { status: flags.status }), ...(flags.text === undefined ? {} : { text: flags.text }), ...(flags.all ? {} : { cwd: path.resolve('.') }) });
    if (flags.json) return printJson({ sessions });
    const paint = palette(process.stdout);
    for (const session of sessions) {
      await write(process.stdout, `${session.session_id}  ${session.updated_at.slice(0, 16).replace('T', ' ')}  ${session.status.padEnd(11)}  ${oneLine(session.title) || paint.dim('(no message)')}${session.task_id === undefined ? '' : paint.dim(session.parent_id === undefined ? `  ${oneLine(session.task_id)}` : `  sub-agent of ${session.parent_id}`)}${flags.all ? paint.dim(`  ${oneLine(session.cwd)}`) : ''}\n`);
    }
    const which = flags.status === undefined && flags.text === undefined ? '' : ' fits';
    if (sessions.length === 0) await write(process.stderr, `No session${flags.all ? '' : ' of this folder'}${which}${flags.all ? '' : '; see --all'}.\n`);
  });
}

/** `skillmint sessions show`. */
export function showSession(id: string, flags: Json): Promise<void> {
  return withRuntime(async (runtime) => {
    const summary = await runtime.sessions.get(id);
    const state = await runtime.sessions.state(id);
    const open = [...openRequests(state), ...(await runtime.agents.waiting(id))];
    if (flags.json) return printJson({ ...summary, permission_mode: state.permission_mode, usage: state.usage, cost_usd: state.cost_usd, todos: state.todos, skills: [...state.skills.keys()], open: open.map(openJson) });
    const paint = palette(process.stdout);
    await write(process.stdout, `${paint.bold(summary.session_id)}  ${summary.status}  ${oneLine(summary.model)}  ${oneLine(summary.cwd)}\n`);
    for await (const event of runtime.sessions.events(id)) {
      const line = transcriptLine(event, paint);
      if (line !== undefined) await write(process.stdout, `${line}\n`);
    }
    for (const request of open) {
      const text = questionText(request, { width: process.stdout.columns || 80, paint });
      const who = request.agent ? `the agent ${oneLine(request.agent.agent_type)} (${request.agent.task_id}) ` : '';
      await write(process.stdout, `\n${paint.yellow(`${who}waits (${request.question.request_id}):`)}\n${text}\n`);
    }
  });
}

function openJson({ call, question, agent }: OpenRequest): object {
  const asked = question.kind === 'question' ? { question: question.question, options: question.options ?? [], ...(question.questions ? { questions: question.questions } : {}) } : { reason: question.reason, rules: question.rules, ...(question.mode === undefined ? {} : { mode: question.mode }) };
  return { request_id: question.request_id, tool: call.tool, input: call.input, ...asked, ...(agent ? { agent } : {}) };
}

function transcriptLine(event: StoredEvent, paint: ReturnType<typeof palette>): string | undefined {
  switch (event.type) {
    case 'turn.started': return `\n${paint.bold('>')} ${printable(textOf(event.input))}`;
    case 'message.added': return `${paint.bold('>')} ${printable(event.text)}`;
    case 'message.completed': return printable(textOf(event.content)) || undefined;
    case 'tool.requested': return `${paint.cyan('●')} ${oneLine(event.tool)} ${paint.dim(callLine(event.input))}`;
    case 'tool.completed': return event.status === 'ok' ? undefined : paint.red(`  ⎿ ${event.status}: ${cutStart(oneLine(textOf(event.output)), 200)}`);
    case 'agent.started': return `${paint.cyan('◇')} agent ${oneLine(event.agent_type)} ${paint.dim(`(${event.task_id}, session ${event.child_id})`)}`;
    case 'agent.completed': return event.status === 'done' ? undefined : paint.red(`  ⎿ agent ${event.task_id} ${event.status}`);
    case 'skill.activated': return `${paint.green('◆')} skill ${oneLine(event.skill_id)}`;
    case 'turn.completed': return event.status === 'done' ? undefined : paint.dim(`turn ${event.status}${event.error ? `: ${oneLine(event.error.message)}` : ''}`);
    default: return undefined;
  }
}

/** `skillmint sessions export`. */
export function exportSession(id: string): Promise<void> {
  return withRuntime(async (runtime) => {
    for await (const event of runtime.sessions.events(id)) await write(process.stdout, `${jsonFor(process.stdout, event)}\n`);
  });
}

/** `skillmint sessions fork`. */
export function forkSession(id: string, flags: Json & { readonly at?: number }): Promise<void> {
  return withRuntime(async (runtime) => {
    const session_id = await runtime.sessions.fork(id, flags.at);
    if (flags.json) await printJson({ session_id, parent_id: id });
    else await write(process.stdout, `${session_id}\n`);
  });
}

/** `skillmint sessions remove`. */
export function removeSessions(ids: readonly string[], flags: Json): Promise<void> {
  return withRuntime(async (runtime) => {
    const left: string[] = [];
    for (const id of ids) left.push(...(await runtime.sessions.remove(id)));
    if (flags.json) await printJson({ removed: ids, left });
    else for (const line of left) await write(process.stderr, `${oneLine(line)}\n`);
  });
}
