import { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse, type ElicitRequestFormParams, type InputRequiredResult, type McpServer, type RequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';
import { isObject } from '../protocol/json.ts';
import type { ScriptConsent, ScriptQuestion, SkillToolCall } from '../runtime/skill-tools/skill-tool.ts';
import type { AskedFor, OpenForms } from './open-forms.ts';

/** Ends a call that needs an answer: the client makes it again, with the answer. */
export class AskAgain extends Error {
  readonly required: InputRequiredResult;

  constructor(required: InputRequiredResult) {
    super('an answer is required');
    this.required = required;
  }
}

/** What asking takes. */
export interface AskingParts {
  readonly server: McpServer;
  readonly context: ServerContext;
  readonly era: 'legacy' | 'modern';
  /** The client can be asked while its call is open. */
  readonly mayPush: boolean;
  readonly codec: RequestStateCodec<AskedFor>;
  readonly forms: OpenForms;
}

const KEY = 'consent';
const ANSWERS = ['once', 'always', 'no'] as const;
const TITLES = ['Run it this once', 'Run any script of this content until the server ends', 'Do not run it'];
/** A person may be away for so long, ms. */
const PATIENCE_MS = 600_000;

/** How the person behind a client is asked for consent; undefined where the client cannot ask. */
export function consentOf(parts: AskingParts): SkillToolCall['ask'] {
  const { era, mayPush, server, context } = parts;
  if (era === 'modern') return canElicit(told(context.mcpReq.envelope)) ? (question) => askByRounds(parts, question) : undefined;
  if (!mayPush || !canElicit(server.server.getClientCapabilities())) return undefined;
  return async (question) => {
    const { action, content } = await context.mcpReq.elicitInput(formFor(question), { timeout: PATIENCE_MS, signal: context.mcpReq.signal });
    return action === 'accept' ? consentIn(content, question) : 'no';
  };
}

/** The newest revision has no requests of servers: a call ends with what it needs, and comes again with the answer. */
async function askByRounds({ context, codec, forms }: AskingParts, question: ScriptQuestion): Promise<ScriptConsent> {
  const { requestState, inputResponses } = context.mcpReq;
  const asked = requestState<AskedFor>();
  const response = inputResponse(inputResponses, KEY);
  const isAnswer = asked !== undefined && forms.take(asked.form, question.id) && response.kind === 'elicit';
  if (!isAnswer) throw new AskAgain(inputRequired({ inputRequests: { [KEY]: inputRequired.elicit(formFor(question)) }, requestState: await codec.mint({ form: forms.open(question.id) }, context) }));
  return response.action === 'accept' ? consentIn(response.content, question) : 'no';
}

/** Only content that the person trusts is allowed for good. */
function offeredFor({ trusted }: ScriptQuestion): readonly ScriptConsent[] {
  return ANSWERS.filter((answer) => trusted || answer !== 'always');
}

function formFor(question: ScriptQuestion): ElicitRequestFormParams {
  const oneOf = offeredFor(question).map((answer) => ({ const: answer, title: TITLES[ANSWERS.indexOf(answer)] ?? answer }));
  return { mode: 'form', message: question.text, requestedSchema: { type: 'object', properties: { answer: { type: 'string', title: 'Answer', oneOf } }, required: ['answer'] } };
}

/** Whoever accepts without choosing has agreed to this once; anything else that is not on the form is a no. */
function consentIn(content: Readonly<Record<string, unknown>> | undefined, question: ScriptQuestion): ScriptConsent {
  const answer = content?.['answer'];
  if (answer === undefined) return 'once';
  return offeredFor(question).find((known) => known === answer) ?? 'no';
}

/** Forms are what a client means that says no more. */
function canElicit(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isObject(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined);
}

/** What a client of the newest revision says of itself with each request. */
function told(envelope: unknown): unknown {
  return isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
}
