import { isJsonObject, parseJson } from '../../protocol/json.ts';
import type { ComparisonRecord, Spent } from '../runs/record.ts';
import { addSpent, jsonIn, NOTHING_SPENT, spentOn, type AskJudge } from './ask-judge.ts';
import system from './compare-system.md';
import { isQuoted, materialOf, type JudgedRun } from './material.ts';

/** Two results of one task. */
export interface CompareRequest {
  readonly task: string;
  readonly expected?: string;
  readonly from: JudgedRun;
  readonly to: JudgedRun;
}

type Compared = Pick<ComparisonRecord, 'winner' | 'reason' | 'judged'>;
type Choice = { readonly winner: 'A' | 'B' | 'tie'; readonly reason: string } | { readonly problem: string };

/** Has a judge compare two results, each once in the first place. Where it chooses by the place, it is a tie. */
export async function compareByJudge(request: CompareRequest, ask: AskJudge, signal: AbortSignal): Promise<Compared> {
  const first = await choose(request, request.from, request.to, ask, signal);
  const swapped = await choose(request, request.to, request.from, ask, signal);
  const judged = addSpent(first.spent, swapped.spent);
  if ('problem' in first.choice) return { winner: 'not judged', reason: first.choice.problem, judged };
  if ('problem' in swapped.choice) return { winner: 'not judged', reason: swapped.choice.problem, judged };
  const winners = [first.choice.winner, swapped.choice.winner].join(' ');
  if (winners === 'A B') return { winner: 'from', reason: first.choice.reason, judged };
  if (winners === 'B A') return { winner: 'to', reason: first.choice.reason, judged };
  return { winner: 'tie', reason: winners === 'tie tie' ? first.choice.reason : 'the judge chose otherwise when the results changed places', judged };
}

async function choose({ task, expected }: CompareRequest, a: JudgedRun, b: JudgedRun, ask: AskJudge, signal: AbortSignal): Promise<{ readonly choice: Choice; readonly spent: Spent }> {
  const material = `${materialOf(a)}\n${materialOf(b)}`;
  const prompt = ['=== TASK', task, ...(expected === undefined ? [] : ['=== WHAT A GOOD RESULT IS', expected]), '##### RESULT A', materialOf(a), '##### RESULT B', materialOf(b)].join('\n');
  let spent = NOTHING_SPENT;
  let choice: Choice = { problem: 'the judge was not asked' };
  for (let attempt = 1; attempt <= 2 && 'problem' in choice; attempt += 1) {
    const reply = await ask({ system, prompt: attempt === 1 ? prompt : `${prompt}\n=== YOUR LAST ANSWER COULD NOT BE USED\n${'problem' in choice ? choice.problem : ''}\nAnswer once more with the JSON alone.` }, signal);
    spent = addSpent(spent, spentOn(reply));
    choice = reply.kind === 'failed' ? { problem: `the judge could not be asked: ${reply.message}` } : choiceIn(reply.text, material);
  }
  return { choice, spent };
}

function choiceIn(text: string, material: string): Choice {
  const answer = parseJson(jsonIn(text));
  if (!isJsonObject(answer)) return { problem: 'the judge did not answer with the JSON that it was asked for' };
  const { winner, reason, evidence } = answer;
  if (winner !== 'A' && winner !== 'B' && winner !== 'tie') return { problem: 'the judge did not name A, B or tie' };
  if (typeof evidence !== 'string' || !isQuoted(material, evidence)) return { problem: 'the quote of the judge is not in the material' };
  return { winner, reason: typeof reason === 'string' ? reason : '' };
}
