import { isJsonObject, parseJson, type JsonObject } from '../../protocol/json.ts';
import type { Spent } from '../runs/record.ts';
import { addSpent, jsonIn, NOTHING_SPENT, spentOn, type AskJudge } from './ask-judge.ts';
import system from './judge-system.md';
import { isQuoted, materialOf, type JudgedRun } from './material.ts';

/** What a judge decided of one expectation; `passed` is undefined where nothing it said can be used. */
export interface Judgement {
  readonly passed: boolean | undefined;
  readonly evidence: string;
}

/** What is judged. */
export interface GradeRequest {
  readonly task: string;
  readonly expected?: string;
  readonly run: JudgedRun;
  readonly expectations: readonly string[];
}

/** The verdicts, in the order of the expectations. */
export interface Judged {
  readonly judgements: readonly Judgement[];
  readonly suggestions: readonly { readonly assertion: string; readonly reason: string }[];
  readonly spent: Spent;
}

/** What an answer brought for the expectation of a number: a verdict with a quote that is there, or what is wrong with it. */
type Usable = Judgement & { readonly problem?: string };

/**
 * Has a judge decide expectations. A verdict counts only with a quote that stands in the material. What cannot be used is asked
 * for once more; what is wrong then, too, is not judged, with the reason.
 */
export async function gradeByJudge({ task, expected, run, expectations }: GradeRequest, ask: AskJudge, signal: AbortSignal): Promise<Judged> {
  const material = materialOf(run);
  const prompt = [
    '=== TASK', task,
    ...(expected === undefined ? [] : ['=== WHAT A GOOD RESULT IS', expected]),
    material,
    '=== EXPECTATIONS', ...expectations.map((text, i) => `${i + 1}. ${text}`),
  ].join('\n');
  let known: readonly Usable[] = expectations.map(() => ({ passed: undefined, evidence: '', problem: 'the judge said nothing about it' }));
  let suggestions: Judged['suggestions'] = [];
  let spent = NOTHING_SPENT;
  let again = '';
  for (let attempt = 1; attempt <= 2 && known.some(({ passed }) => passed === undefined); attempt += 1) {
    const reply = await ask({ system, prompt: `${prompt}${again}` }, signal);
    spent = addSpent(spent, spentOn(reply));
    const answer = reply.kind === 'answer' ? parseJson(jsonIn(reply.text)) : undefined;
    if (reply.kind === 'failed') known = known.map((one) => (one.passed === undefined ? { ...one, problem: `the judge could not be asked: ${reply.message}` } : one));
    else if (!isJsonObject(answer)) known = known.map((one) => (one.passed === undefined ? { ...one, problem: 'the judge did not answer with the JSON that it was asked for' } : one));
    else {
      known = known.map((one, i) => (one.passed === undefined ? verdictIn(answer, i + 1, material) : one));
      suggestions = suggestionsIn(answer, expectations);
    }
    again = `\n=== YOUR LAST ANSWER COULD NOT BE USED\n${[...new Set(known.flatMap(({ problem }, i) => (problem === undefined ? [] : [`${i + 1}: ${problem}`])))].join('\n')}\nAnswer once more, for all expectations, with the JSON alone and with quotes that stand in the material letter by letter.`;
  }
  return { judgements: known.map(({ passed, evidence, problem }) => ({ passed, evidence: problem === undefined ? evidence : `Not judged: ${problem}.` })), suggestions, spent };
}

function verdictIn(answer: JsonObject, number: number, material: string): Usable {
  const nothing = { passed: undefined, evidence: '' };
  const { verdicts } = answer;
  const own = (Array.isArray(verdicts) ? verdicts : []).filter((one): one is JsonObject => isJsonObject(one) && Number(one['number']) === number);
  const [first, second] = own;
  if (!first) return { ...nothing, problem: 'the judge said nothing about it' };
  const { passed, evidence } = first;
  if (typeof passed !== 'boolean' || (second && second['passed'] !== passed)) return { ...nothing, problem: 'the judge did not say clearly whether it is met' };
  if (typeof evidence !== 'string' || evidence.trim() === '') return { ...nothing, problem: 'the judge quoted nothing' };
  return isQuoted(material, evidence) ? { passed, evidence } : { ...nothing, problem: `the quote is not in the material (${evidence.slice(0, 120)})` };
}

function suggestionsIn({ suggestions }: JsonObject, expectations: readonly string[]): Judged['suggestions'] {
  return (Array.isArray(suggestions) ? suggestions : []).flatMap((one) => {
    if (!isJsonObject(one) || typeof one['reason'] !== 'string') return [];
    return [{ assertion: expectations[Number(one['number']) - 1] ?? '', reason: one['reason'] }];
  });
}
