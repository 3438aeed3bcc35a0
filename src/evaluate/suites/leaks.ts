import type { EvalCase, Expectation } from './suite.ts';

/** A text file of a skill. `path` is relative to it. */
export interface SkillText {
  readonly path: string;
  readonly text: string;
}

/** Shorter answers stand in many texts by chance, and so do single words. */
const LEAST = 6;

/** Sentences on expected answers of cases that stand word for word in a skill: a run may copy them, and then the case measures nothing. */
export function leaksIn(cases: readonly EvalCase[], files: readonly SkillText[]): readonly string[] {
  const texts = files.map(({ path, text }) => ({ path, text: plain(text) }));
  return cases.flatMap(({ id, expected, expectations }) => {
    const answers = [...new Set([...(expected === undefined ? [] : [expected]), ...expectations.flatMap(answersIn)].map(plain))].filter(isTelling);
    return answers.flatMap((answer) => {
      const found = texts.find(({ text }) => text.includes(answer));
      return found ? [`The expected answer of case ${id} stands word for word in ${found.path}, so a run may copy it: ${JSON.stringify(answer.slice(0, 120))}. Take it out there, or ask for something else.`] : [];
    });
  });
}

/** What has to come out, as far as it is plain text. */
function answersIn(expectation: Expectation): readonly string[] {
  // A sentence that a judge decides is what the skill is to bring about, and may stand in it.
  if (expectation.kind === 'judged') return [];
  const { check } = expectation;
  if (check.type === 'answer_contains') return [check.value];
  if (check.type === 'answer_matches' || check.type === 'file_matches') return literal(check.pattern);
  return [];
}

/** The text that a pattern means; nothing for one that means several. */
function literal(pattern: string): readonly string[] {
  const inner = pattern.replace(/^\^/, '').replace(/\$$/, '');
  return /^(?:[^.^$*+?()[\]{}|\\]|\\[^A-Za-z0-9])*$/.test(inner) ? [inner.replace(/\\(.)/g, '$1')] : [];
}

function isTelling(answer: string): boolean {
  return answer.length >= LEAST && (/\d/.test(answer) || /\S\s+\S/.test(answer));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
