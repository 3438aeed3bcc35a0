import type { PermissionOption, RequestPermissionResponse, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { messageOf } from '../../protocol/errors.ts';
import type { OpenRequest } from '../../protocol/session-state.ts';
import { byWeight } from '../../protocol/telling-argument.ts';
import { visibleText } from '../../protocol/visible-text.ts';
import { fenced, plannedFields, text } from '../render/call-fields.ts';
import { sendOptions, type Answer, type Asking } from './answer.ts';

type PermissionRequest = OpenRequest & { readonly question: Extract<OpenRequest['question'], { kind: 'permission' }> };

/** True for a request of consent. */
export function isPermission(open: OpenRequest): open is PermissionRequest {
  return open.question.kind === 'permission';
}

/** Asks the person for consent to a call; `toolCallId` is the card it belongs to. Where the editor cannot ask, the call is refused. Undefined where nobody is there any more. */
export async function askPermission(asking: Asking, open: PermissionRequest, { toolCallId, cwd }: { readonly toolCallId: string; readonly cwd: string }): Promise<Answer | undefined> {
  const { client, sessionId, signal } = asking;
  let answered: RequestPermissionResponse;
  try {
    answered = await client.request('session/request_permission', { sessionId, toolCall: { toolCallId, status: 'pending', ...whatIsAsked(open, cwd) }, options: [...optionsOf(open)] }, sendOptions(asking));
  } catch (error) {
    if (signal.aborted) return undefined;
    return { kind: 'permission', decision: 'deny', scope: 'once', reason: `Nobody could be asked: the editor did not take the request (${messageOf(error)}). Allow such calls beforehand with a rule in permissions.allow of your settings, or with another mode.` };
  }
  const { outcome } = answered;
  if (outcome.outcome === 'cancelled') return signal.aborted ? undefined : { kind: 'permission', decision: 'deny', scope: 'once', reason: 'The person closed the request without an answer.' };
  switch (outcome.optionId) {
    case 'allow_once': return { kind: 'permission', decision: 'allow', scope: 'once' };
    case 'allow_always': return { kind: 'permission', decision: 'allow', scope: 'always' };
    case 'reject_once': return { kind: 'permission', decision: 'deny', scope: 'once' };
    default: return { kind: 'permission', decision: 'deny', scope: 'once', reason: `The editor answered with an option that was not offered (${JSON.stringify(outcome.optionId)}).` };
  }
}

/** The whole call with the reason: a person decides on it. */
function whatIsAsked({ call, question }: PermissionRequest, cwd: string): Omit<ToolCallUpdate, 'toolCallId'> {
  const planned = plannedFields(call, cwd);
  const shown = planned.content.length > 0 ? [] : byWeight(call.input).map(([key, value]) => text(`${key}:\n${fenced(visibleText(typeof value === 'string' ? value : JSON.stringify(value, null, 2)))}`));
  return { ...planned, content: [text(visibleText(question.reason)), ...planned.content, ...shown] };
}

function optionsOf({ question: { rules, mode } }: PermissionRequest): readonly PermissionOption[] {
  const always = mode === undefined ? `Always allow ${rules.map(visibleText).join(', ')}` : `Allow, and go on in the mode ${mode}`;
  return [
    { optionId: 'allow_once', kind: 'allow_once', name: 'Allow once' },
    ...(rules.length > 0 || mode !== undefined ? [{ optionId: 'allow_always', kind: 'allow_always', name: always } as const] : []),
    { optionId: 'reject_once', kind: 'reject_once', name: 'Reject' },
  ];
}
