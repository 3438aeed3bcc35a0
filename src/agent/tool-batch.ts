import { messageOf } from '../protocol/errors.ts';
import type { EventBody, ToolStatus } from '../protocol/events.ts';
import type { CallPlace, PermissionScope } from '../protocol/permission.ts';
import type { JsonObject } from '../protocol/json.ts';
import { isAnswered, openCalls, type CallQuestion, type CallState, type SessionState } from '../protocol/session-state.ts';
import { failed, type ToolOutcome, type ToolWaiting } from '../protocol/tool.ts';
import { never } from '../util/never.ts';
import { pool } from '../util/pool.ts';
import { passHooks, withGate } from './hook-gate.ts';
import type { AgentPorts, AgentTool, HookGate } from './ports.ts';
import { countRepeats } from './repeats.ts';

/** What is to be done with one call of a reply. */
type Plan =
  | { readonly step: 'run'; readonly call: CallState; readonly tool: AgentTool; readonly input: JsonObject; readonly places?: readonly CallPlace[] | undefined; readonly answered?: CallQuestion; readonly consent?: PermissionScope | undefined }
  | { readonly step: 'finish'; readonly event: EventBody }
  | { readonly step: 'ask'; readonly event: EventBody }
  | { readonly step: 'wait' };

/**
 * Brings open calls to their results: all of the last reply, or the next one of the person. Checks them in order, runs the
 * allowed ones side by side, and leaves those open that need a person: then it is `waiting`. Each call is stored as started
 * before it may have an effect.
 */
export async function runToolBatch(ports: AgentPorts, signal: AbortSignal): Promise<'complete' | 'waiting'> {
  const calls = nextCalls(ports.state);
  const plans: Plan[] = [];
  for (const call of calls) plans.push(await planCall(ports, call, signal));
  // The loop ends the turn, and the calls with it.
  if (ports.state.turn?.halted !== undefined) return 'complete';
  const settled = plans.flatMap((plan) => (plan.step === 'finish' || plan.step === 'ask' ? [plan.event] : []));
  const runs = plans.flatMap((plan) => (plan.step === 'run' ? [plan] : []));
  const together = runs.slice(0, ports.limits.parallelTools);
  await ports.append([...settled, ...together.map(started)], { durable: together.some(hasEffect) });
  await pool(runs, ports.limits.parallelTools, async (run, index) => {
    if (index >= together.length) await ports.append([started(run)], { durable: hasEffect(run) });
    await runCall(ports, run, signal);
  });
  const due = new Set(calls.map((call) => call.call_id));
  return openCalls(ports.state).some((call) => due.has(call.call_id)) ? 'waiting' : 'complete';
}

/** What a person calls by name comes into force in the order in which they wrote it, so each such call waits for those before it. */
function nextCalls(state: SessionState): readonly CallState[] {
  const open = openCalls(state);
  return open[0]?.by === 'person' ? open.slice(0, 1) : open;
}

type Run = Extract<Plan, { step: 'run' }>;

function started({ call }: Run): EventBody {
  return { type: 'tool.started', call_id: call.call_id };
}

function hasEffect({ tool }: Run): boolean {
  return !tool.readOnly;
}

async function planCall(ports: AgentPorts, call: CallState, signal: AbortSignal): Promise<Plan> {
  const refuse = (text: string): Plan => ({ step: 'finish', event: completed(call, 'error', failed(text)) });
  if (call.invalid !== undefined) return refuse(`The arguments of ${call.tool} are not a JSON object: ${call.invalid.slice(0, 200)}. Call it again with valid JSON.`);
  const tool = await ports.findTool(call.tool, call.input);
  if (!tool) return refuse(`There is no tool named ${call.tool}. Tools: ${ports.specs.map((spec) => spec.name).join(', ')}.`);
  const prepared = await tool.prepare(call.input);
  if ('problem' in prepared) return refuse(prepared.problem);
  if (tool.resumes && call.phase === 'started' && call.question) return planResumed({ call, question: call.question, tool, input: prepared.input });
  // A call that was asked about, or that a crash has cut off, has passed its hooks, and has the input that they gave it.
  const gate = call.question || call.phase === 'started' ? prepared : await passHooks(ports, { call, tool, input: prepared.input }, signal);
  if ('refusal' in gate) return { step: 'finish', event: completed(call, gate.status, failed(gate.refusal)) };
  if (tool.question) return planQuestion(ports, { call, tool, input: gate.input }, tool.question(gate.input));
  if (call.question?.kind === 'permission') return planAnswered({ call, question: call.question, tool, input: gate.input });
  return planPermission(ports, { call, tool, input: gate.input }, gate);
}

/** What a tool has kept with its question goes back to where it came from only while no rule denies the call. */
async function planResumed({ call, question, tool, input }: { readonly call: CallState; readonly question: CallQuestion; readonly tool: AgentTool; readonly input: JsonObject }): Promise<Plan> {
  if (!isAnswered(question)) return { step: 'wait' };
  if (question.kind === 'question' && question.state) {
    const verdict = await tool.permit({ call_id: call.call_id, input, repeats: 0, by: call.by });
    if (verdict.verdict === 'deny') return { step: 'finish', event: completed(call, 'denied', failed(verdict.reason)) };
  }
  return { step: 'run', call, tool, input, answered: question };
}

async function planQuestion(ports: AgentPorts, { call, tool, input }: Pick<Run, 'call' | 'tool' | 'input'>, asked: ReturnType<NonNullable<AgentTool['question']>>): Promise<Plan> {
  if (call.question?.kind === 'question') {
    if (call.question.answer === undefined) return { step: 'wait' };
    return { step: 'finish', event: completed(call, 'ok', { status: 'ok', content: [{ type: 'text', text: call.question.answer }] }) };
  }
  const verdict = await tool.permit({ call_id: call.call_id, input, repeats: 0, by: call.by });
  if (verdict.verdict === 'deny') return { step: 'finish', event: completed(call, 'denied', failed(verdict.reason)) };
  return { step: 'ask', event: { type: 'question.asked', request_id: ports.newRequestId(), call_id: call.call_id, ...asked } };
}

/** Between question and answer a rule may have come that denies the call; what merely asks has been answered, for files where they lay then. */
async function planAnswered({ call, question, tool, input }: { readonly call: CallState; readonly question: Extract<CallQuestion, { kind: 'permission' }>; readonly tool: AgentTool; readonly input: JsonObject }): Promise<Plan> {
  if (question.decision === undefined) return { step: 'wait' };
  if (question.decision === 'allow') {
    const verdict = await tool.permit({ call_id: call.call_id, input, repeats: 0, by: call.by });
    return verdict.verdict === 'deny' ? { step: 'finish', event: completed(call, 'denied', failed(verdict.reason)) } : { step: 'run', call, tool, input, places: question.places, consent: question.scope };
  }
  const reason = tool.refusal ? tool.refusal(question.feedback) : question.feedback ? `The person refused this call and says: ${question.feedback}` : 'The person refused this call. Do not repeat it; go on another way or ask what they want.';
  return { step: 'finish', event: completed(call, 'denied', failed(reason)) };
}

async function planPermission(ports: AgentPorts, { call, tool, input }: Pick<Run, 'call' | 'tool' | 'input'>, gate: HookGate): Promise<Plan> {
  const repeats = tool.polling ? 0 : countRepeats(ports.state.messages, call.tool, call.input);
  const verdict = withGate(await tool.permit({ call_id: call.call_id, input, repeats, approval: gate.approval, by: call.by }), gate, ports.state.permission_mode);
  switch (verdict.verdict) {
    case 'allow': return { step: 'run', call, tool, input, places: verdict.places };
    case 'deny': return { step: 'finish', event: completed(call, 'denied', failed(verdict.reason)) };
    case 'ask': return { step: 'ask', event: { type: 'permission.requested', request_id: ports.newRequestId(), call_id: call.call_id, tool: tool.spec.name, input, reason: verdict.reason, rules: verdict.rules, ...(verdict.unsandboxed ? { unsandboxed: true } : {}), ...(verdict.mode ? { mode: verdict.mode } : {}), ...(verdict.places ? { places: verdict.places } : {}) } };
    default: return never(verdict);
  }
}

async function runCall(ports: AgentPorts, { call, tool, input, places, answered, consent }: Run, signal: AbortSignal): Promise<void> {
  const began = ports.now();
  const outcome = await runSafely(tool, input, { call_id: call.call_id, signal, emit: (text) => ports.emit({ type: 'tool.delta', call_id: call.call_id, text }), places, consent, ...(answered ? { answered } : {}), ...(call.by ? { by: call.by } : {}) });
  if (outcome.status === 'waiting') {
    await ports.append([outcome.ask]);
    return;
  }
  const status: ToolStatus = signal.aborted && outcome.status === 'error' ? 'interrupted' : outcome.status;
  const durationMs = ports.now() - began;
  const fitted = await ports.fitOutcome(call.call_id, outcome);
  const hooked = ports.hooks && !signal.aborted ? await ports.hooks.afterTool({ call_id: call.call_id, tool: tool.spec.name, called: call.tool, input, outcome: fitted }, signal) : { outcome: fitted, events: [] };
  await ports.append([...hooked.events, ...(hooked.outcome.events ?? []), completed(call, status, hooked.outcome, durationMs)]);
}

async function runSafely(tool: AgentTool, input: JsonObject, call: Parameters<AgentTool['run']>[1]): Promise<ToolOutcome | ToolWaiting> {
  if (call.signal.aborted) return failed('Not run: the turn was stopped before.');
  try {
    return await tool.run(input, call);
  } catch (error) {
    return failed(`${tool.spec.name} failed: ${messageOf(error)}`);
  }
}

/** The event that gives a call its result. */
export function completed(call: { readonly call_id: string }, status: ToolStatus, outcome: ToolOutcome, durationMs?: number): EventBody {
  return {
    type: 'tool.completed',
    call_id: call.call_id,
    status,
    output: outcome.content,
    ...(outcome.details ? { details: outcome.details } : {}),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    ...outcome.spent,
  };
}
