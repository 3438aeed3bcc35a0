import type { HookEvent } from '../protocol/hook.ts';
import { mostSimilar } from '../util/similar.ts';

/** What is known of the name of an event. */
export type EventName =
  | { readonly kind: 'supported'; readonly event: HookEvent; /** The client whose name this is counts time-outs in ms. */ readonly inMs: boolean }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unknown'; readonly suggestion: string | undefined };

/** Events that hooks of tools have: matchers and conditions speak of the call. */
export const TOOL_EVENTS: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']);

/** Events whose hooks are for one kind of it, such as a way in which a session starts. */
export const MATCHED_EVENTS: ReadonlySet<HookEvent> = new Set([...TOOL_EVENTS, 'SessionStart', 'SessionEnd', 'SubagentStart', 'SubagentStop', 'PreCompact']);

const EVENTS: readonly HookEvent[] = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PreCompact', 'Stop', 'SubagentStart', 'SubagentStop', 'SessionEnd'];

/** Names of gemini-cli, whose time-outs are in ms. */
const GEMINI: Readonly<Record<string, HookEvent>> = { beforetool: 'PreToolUse', aftertool: 'PostToolUse', beforeagent: 'UserPromptSubmit', afteragent: 'Stop', precompress: 'PreCompact' };

/** Further names of the same moments. */
const OTHERS: Readonly<Record<string, HookEvent>> = { userpromptsubmitted: 'UserPromptSubmit', beforesubmitprompt: 'UserPromptSubmit' };

/** Events of other programs, and of newer ones, that nothing happens at here. */
const UNSUPPORTED: ReadonlySet<string> = new Set(
  (
    'setup userpromptexpansion permissionrequest permissiondenied posttoolbatch notification messagedisplay taskcreated ' +
    'taskcompleted stopfailure teammateidle instructionsloaded configchange cwdchanged directoryadded filechanged worktreecreate worktreeremove ' +
    'postcompact elicitation elicitationresult beforemodel aftermodel beforetoolselection beforeshellexecution aftershellexecution ' +
    'beforemcpexecution aftermcpexecution beforereadfile afterfileedit afteragentresponse erroroccurred'
  ).split(' '),
);

const BY_FOLDED: ReadonlyMap<string, HookEvent> = new Map([...EVENTS.map((event): [string, HookEvent] => [fold(event), event]), ...Object.entries(OTHERS)]);

/** Finds the event that a name means; letter case, `_`, `-` and spaces do not matter, and other clients' names count. */
export function eventNamed(name: string): EventName {
  const folded = fold(name);
  const event = BY_FOLDED.get(folded);
  if (event !== undefined) return { kind: 'supported', event, inMs: false };
  const gemini = Object.hasOwn(GEMINI, folded) ? GEMINI[folded] : undefined;
  if (gemini !== undefined) return { kind: 'supported', event: gemini, inMs: true };
  if (UNSUPPORTED.has(folded)) return { kind: 'unsupported' };
  return { kind: 'unknown', suggestion: mostSimilar(name, EVENTS, 1)[0] };
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}
