import { expect, it } from 'vitest';
import { leaksIn } from '../../src/evaluate/suites/leaks.ts';
import { looksLikeEvals, looksLikeTriggers } from '../../src/evaluate/suites/suite-shape.ts';
import type { EvalCase, Expectation } from '../../src/evaluate/suites/suite.ts';

const caseOf = (expectations: readonly Expectation[], expected?: string): EvalCase => ({ id: '7', name: 'n', prompt: 'Go.', files: [], expectations, ...(expected === undefined ? {} : { expected }) });
const contains = (value: string): Expectation => ({ kind: 'check', text: 't', check: { type: 'answer_contains', value } });
const matches = (pattern: string): Expectation => ({ kind: 'check', text: 't', check: { type: 'file_matches', path: 'a', pattern } });
const skill = [{ path: 'SKILL.md', text: 'Write the report.\nThe best month is  March 2031,\nwith 1.25 in the column denied.' }];

it('names expected answers that stand in the skill word for word, whatever the white space and case', () => {
  for (const [one, expected] of [[contains('best month is march 2031')], [matches('^March 2031')], [matches('with 1\\.25 in$')], [contains('other'), 'The best month is March 2031,']] as const) {
    expect(leaksIn([caseOf([one], expected)], skill), JSON.stringify(one)).toEqual([expect.stringMatching(/^The expected answer of case 7 stands word for word in SKILL\.md, so a run may copy it: ".+"\./)]);
  }
});

it('says nothing of single words, short texts, patterns that mean several texts, and what a judge decides', () => {
  for (const one of [contains('denied'), contains('2031'), matches('March \\d+'), matches('1.25 in'), matches('(March|April) 2031'), contains('best month is May'), { kind: 'judged', text: 'Write the report.' }] as const) {
    expect(leaksIn([caseOf([one])], skill), JSON.stringify(one)).toEqual([]);
  }
});

it('knows suites by their form', () => {
  const queries = [{ query: 'a', should_trigger: true }, { prompt: 'b', should_trigger: 'no' }];
  for (const value of [queries, { queries }, { evals: queries }]) expect(looksLikeTriggers(JSON.stringify(value))).toBe(true);
  for (const value of [[], [{ query: 'select 1' }], [...queries, 'SELECT 1'], { name: 'x' }, 'text', { queries: { a: 1 } }]) expect(looksLikeTriggers(JSON.stringify(value))).toBe(false);
  expect(looksLikeTriggers('{')).toBe(false);
  expect(looksLikeEvals(JSON.stringify({ evals: [{ prompt: 'p' }] }))).toBe(true);
  expect(looksLikeEvals(JSON.stringify({ evals: [{ question: 'p' }] }))).toBe(false);
});
