import { addUsage, NO_USAGE, type Usage } from '../../protocol/usage.ts';
import type { Spent } from '../runs/record.ts';

/** What a judge said, or why it said nothing. */
export type JudgeReply = { readonly kind: 'answer'; readonly text: string; readonly usage: Usage; readonly cost_usd?: number } | { readonly kind: 'failed'; readonly message: string };

/** Asks the judge model one question. Does not reject but for an abort. */
export type AskJudge = (question: { readonly system: string; readonly prompt: string }, signal: AbortSignal) => Promise<JudgeReply>;

/** Nothing was asked. */
export const NOTHING_SPENT: Spent = { calls: 0, usage: NO_USAGE, cost_usd: 0 };

/** What both took. The cost is known only where both are. */
export function addSpent(a: Spent, b: Spent): Spent {
  const cost = a.cost_usd === undefined || b.cost_usd === undefined ? {} : { cost_usd: a.cost_usd + b.cost_usd };
  return { calls: a.calls + b.calls, usage: addUsage(a.usage, b.usage), ...cost };
}

/** What one reply took; that of a failed call is not known and counts as nothing. */
export function spentOn(reply: JudgeReply): Spent {
  if (reply.kind === 'failed') return { ...NOTHING_SPENT, calls: 1 };
  return { calls: 1, usage: reply.usage, ...(reply.cost_usd === undefined ? {} : { cost_usd: reply.cost_usd }) };
}

/** The JSON value in an answer: the whole, or what stands in its first code fence or between its outer braces. */
export function jsonIn(text: string): string {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1];
  if (fenced !== undefined) return fenced;
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  return start >= 0 && end > start ? text.slice(start, end + 1) : text;
}
