import { isInputRequiredResult, type InputRequiredResult, type InputResponses } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import { failed, type ToolOutcome, type ToolWaiting } from '../protocol/tool.ts';
import type { ToolContext } from '../tools/define.ts';
import { formQuestion, readAnswer, readForm, type Form } from './form.ts';
import { rootsOf } from './roots.ts';
import type { ServerCall, SupervisedServer } from './supervised-server.ts';
import { outcomeOf } from './tool-result.ts';

/** How often a server may want something before it gives a result. */
const MOST_ROUNDS = 10;
/** Characters of what is kept with a question. */
const MOST_KEPT = 100_000;

/** What a server wants before it gives a result, and what it has got. Kept with the question to the person. */
interface Wanted {
  /** What the server wants to have back as it is. */
  readonly state?: string | undefined;
  /** As the server wrote them. */
  readonly forms: Readonly<Record<string, JsonObject>>;
  readonly roots: readonly string[];
  /** Answers of the person by the names of the forms. */
  readonly answers: Readonly<Record<string, string>>;
  readonly round: number;
}

/**
 * Calls a tool of a server. A server of the newest revision may answer that it needs the folders of the session, which it
 * gets, or a form filled in by the person: then the call waits, and is made again with the answer, in another process too.
 * Rejects as the server's `call` does.
 */
export async function callToolOfServer(server: SupervisedServer, call: ServerCall, context: Pick<ToolContext, 'callId' | 'accepts' | 'answered' | 'newRequestId'>): Promise<ToolOutcome | ToolWaiting> {
  const { answered } = context;
  let wanted: Wanted | undefined;
  if (answered?.kind === 'question') {
    const kept = readWanted(answered.state);
    if (!kept) return failed(`The answer came, but what the MCP server ${server.shortName} had asked for is no longer known. Call ${call.tool.spec.name} again.`);
    const next = withAnswer(server, kept, answered.answer ?? '', context);
    if ('status' in next) return next;
    wanted = next;
  }
  for (let round = (wanted?.round ?? 0) + 1; round <= MOST_ROUNDS; round += 1) {
    const result = await server.call({ ...call, ...(wanted ? { given: { responses: responsesOf(server, wanted), state: wanted.state } } : {}) });
    if (!isInputRequiredResult(result)) return outcomeOf(result, context.accepts);
    const next = wantedOf(result, round);
    if ('problem' in next) return failed(`The MCP server ${server.shortName} gave no result: ${next.problem}.`);
    wanted = next;
    const [first] = openForms(wanted);
    if (first) return ask(server, wanted, first, context);
  }
  return failed(`The MCP server ${server.shortName} gave no result: it wanted something ${MOST_ROUNDS} times over.`);
}

function wantedOf({ inputRequests = {}, requestState: state }: InputRequiredResult, round: number): Wanted | { readonly problem: string } {
  const forms: Record<string, JsonObject> = {};
  const roots: string[] = [];
  for (const [name, request] of Object.entries(inputRequests)) {
    const { method, params }: { readonly method?: unknown; readonly params?: unknown } = request;
    if (method === 'roots/list') roots.push(name);
    else if (method === 'elicitation/create' && isJsonObject(params) && readForm(params)) forms[name] = params;
    else return { problem: method === 'sampling/createMessage' ? 'it wants an answer of the model, which servers do not get here' : method === 'elicitation/create' ? 'it wants something of the person that is no form of texts, numbers and choices' : `it wants ${JSON.stringify(method).slice(0, 80)}, which is not known here` };
  }
  return { state, forms, roots, answers: {}, round };
}

function openForms({ forms, answers }: Wanted): readonly (readonly [string, Form])[] {
  return Object.entries(forms).flatMap(([name, params]) => {
    const form = readForm(params);
    return form && !Object.hasOwn(answers, name) ? [[name, form] as const] : [];
  });
}

/** The answer is for the first form that has none; what cannot be used is asked for again. */
function withAnswer(server: SupervisedServer, kept: Wanted, answer: string, context: Pick<ToolContext, 'callId' | 'newRequestId'>): Wanted | ToolOutcome | ToolWaiting {
  const [first, second] = openForms(kept);
  if (!first) return kept;
  const filled = readAnswer(first[1], answer);
  if ('problem' in filled) return ask(server, kept, first, context, filled.problem);
  const wanted = { ...kept, answers: { ...kept.answers, [first[0]]: answer } };
  return second ? ask(server, wanted, second, context) : wanted;
}

function ask(server: SupervisedServer, wanted: Wanted, [, form]: readonly [string, Form], { callId, newRequestId }: Pick<ToolContext, 'callId' | 'newRequestId'>, problem?: string): ToolOutcome | ToolWaiting {
  const { state, ...others } = wanted;
  const kept: JsonObject = { ...others, ...(state === undefined ? {} : { state }) };
  if (JSON.stringify(kept).length > MOST_KEPT) return failed(`The MCP server ${server.shortName} gave no result: it wants something of the person and more kept until then than there is room for.`);
  return { status: 'waiting', ask: { type: 'question.asked', request_id: newRequestId(), call_id: callId, ...formQuestion(server.shortName, form, problem), state: kept } };
}

function responsesOf(server: SupervisedServer, { forms, roots, answers }: Wanted): InputResponses {
  const responses: InputResponses = {};
  for (const name of roots) responses[name] = rootsOf(server.roots());
  for (const [name, params] of Object.entries(forms)) {
    const form = readForm(params);
    const filled = form && readAnswer(form, answers[name] ?? '');
    responses[name] = !filled || 'problem' in filled ? { action: 'cancel' } : filled;
  }
  return responses;
}

/** What `ask` has kept; undefined for what it has not. */
function readWanted(kept: JsonObject | undefined): Wanted | undefined {
  if (!kept) return undefined;
  const { state, forms, roots, answers, round } = kept;
  if (!isJsonObject(forms) || !isJsonObject(answers) || !Array.isArray(roots) || typeof round !== 'number') return undefined;
  return {
    forms: Object.fromEntries(Object.entries(forms).flatMap(([name, params]) => (isJsonObject(params) ? [[name, params]] : []))),
    answers: Object.fromEntries(Object.entries(answers).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))),
    roots: roots.filter((name) => typeof name === 'string'),
    round,
    ...(typeof state === 'string' ? { state } : {}),
  };
}
