import { describe, expect, it } from 'vitest';
import { readOutputSuite } from '../../src/evaluate/suites/read-output-suite.ts';
import { readTriggerSuite } from '../../src/evaluate/suites/read-trigger-suite.ts';

const output = (root: unknown): ReturnType<typeof readOutputSuite> => readOutputSuite({ file: 'evals.json', text: typeof root === 'string' ? root : JSON.stringify(root), skill: 'pdf' });
const evals = (...list: readonly unknown[]): ReturnType<typeof readOutputSuite> => output({ skill_name: 'pdf', evals: list });
const messages = (suite: { readonly problems: readonly { readonly severity: string; readonly message: string }[] }): readonly string[] => suite.problems.map(({ severity, message }) => `${severity}: ${message}`);

describe('output suites', () => {
  it('takes both spellings, texts, objects and checks, and a byte order mark', () => {
    const suite = output(`\uFEFF${JSON.stringify({ skill_name: 'pdf', evals: [
      { id: 1, prompt: 'p', expected_output: 'good', files: ['evals/files/a.csv'], assertions: ['It is right.', { text: 'It is kind.' }] },
      { id: 'two', name: 'second', prompt: 'p', expectations: [{ check: 'file_exists', path: './out.txt' }, { type: 'tool-called', tool: 'Bash', pattern: 'wc' }] },
    ] })}`);
    expect(suite.problems).toEqual([]);
    expect(suite.entries).toEqual([
      { id: '1', name: 'eval-1', prompt: 'p', expected: 'good', files: ['evals/files/a.csv'], expectations: [{ kind: 'judged', text: 'It is right.' }, { kind: 'judged', text: 'It is kind.' }] },
      { id: 'two', name: 'second', prompt: 'p', files: [], expectations: [
        { kind: 'check', text: 'The file out.txt exists', check: { type: 'file_exists', path: 'out.txt' } },
        { kind: 'check', text: 'The tool Bash is called with an input that matches /wc/', check: { type: 'tool_called', tool: 'Bash', pattern: 'wc' } },
      ] },
    ]);
  });

  it.each([
    ['no JSON', '{', 'error: evals.json is no valid JSON: correct it, for example with a JSON checker.'],
    ['no list', {}, 'error: evals.json has no list "evals": write { "skill_name": "pdf", "evals": [ … ] }.'],
    ['an empty list', { evals: [] }, 'error: evals.json: the list "evals" is empty: add at least one eval.'],
    ['another skill', { skill_name: 'docx', evals: [{ id: 1, prompt: 'p', expectations: ['x'] }] }, 'warning: evals.json: it is written for the skill docx, and pdf is evaluated with it.'],
    ['no prompt', { evals: [{ id: 1, expectations: ['x'] }] }, 'error: evals.json: eval 1 has no "prompt": write the request as a person would make it.'],
    ['only an expected output', { evals: [{ id: 1, prompt: 'p', expected_output: 'x' }] }, 'warning: evals.json: eval 1 has no "expectations": it is judged by its "expected_output" alone; single expectations say more.'],
    ['a repeat', { evals: [{ id: 1, prompt: 'p', expectations: ['be right.', 'Be right'] }] }, 'warning: evals.json: eval 1 says twice "Be right": it is counted once.'],
    ['an unknown check', { evals: [{ id: 1, prompt: 'p', expectations: [{ check: 'vibes' }] }] }, 'error: evals.json: eval 1, entry 1 of "expectations": it is neither a text nor a check that exists ("vibes"); checks are file_exists,'],
    ['a bad pattern', { evals: [{ id: 1, prompt: 'p', expectations: [{ check: 'answer_matches', pattern: '(' }] }] }, '"pattern" is no regular expression'],
    ['a path that leads out', { evals: [{ id: 1, prompt: 'p', expectations: [{ check: 'file_exists', path: '../x' }] }] }, 'the path ../x leads out of the workspace'],
    ['two exit codes', { evals: [{ id: 1, prompt: 'p', expectations: [{ check: 'command', command: 'true' }, { check: 'command', command: 'true', exit_code: 1 }] }] }, 'eval 1 contradicts itself'],
    ['loaded and not', { evals: [{ id: 1, prompt: 'p', expectations: [{ check: 'skill_loaded' }, { check: 'skill_not_loaded' }] }] }, 'eval 1 contradicts itself'],
  ])('%s', (_, root, message) => {
    expect(messages(output(root)).join('\n')).toContain(message);
  });

  it('a wrong entry does not hide what is wrong with the next', () => {
    expect(messages(evals(7, { id: 1 }, { id: 2, prompt: 'p', expectations: ['x'] }, { id: 2, prompt: 'q', expectations: ['x'] }))).toHaveLength(3);
  });
});

describe('trigger suites', () => {
  it('takes a list or an object, and yes and no', () => {
    const suite = readTriggerSuite({ file: 't.json', text: JSON.stringify({ queries: [{ query: 'a', should_trigger: 'yes' }, { query: 'b', should_trigger: false }] }) });
    expect(suite).toEqual({ problems: [], entries: [{ id: 'q1', query: 'a', should_trigger: true }, { id: 'q2', query: 'b', should_trigger: false }] });
  });

  it('says what is wrong', () => {
    const suite = readTriggerSuite({ file: 't.json', text: JSON.stringify([{ query: 'a', should_trigger: true }, { query: 'a', should_trigger: false }, { query: 'a', should_trigger: true }, { should_trigger: true }, { query: 'c' }]) });
    expect(messages(suite)).toEqual([
      'error: t.json: query 2 ("a") stands twice, once with "should_trigger" true and once false: take one out.',
      'warning: t.json: query 3 ("a") stands twice: it is counted once.',
      'error: t.json: query 4 has no "query": write the message as a person would.',
      'error: t.json: query 5 ("c") does not say "should_trigger": true or false.',
      'warning: t.json: all queries should trigger, so too frequent triggering stays unseen: add near misses.',
    ]);
    expect(messages(readTriggerSuite({ file: 't.json', text: '{}' }))[0]).toContain('has no list of queries');
  });
});
