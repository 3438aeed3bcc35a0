/** One of the answers that a question offers. */
export interface QuestionOption {
  readonly label: string;
  readonly description?: string;
}

/** One of the questions that a call asks a person. */
export interface AskedQuestion {
  readonly question: string;
  /** A word or two to show above it. */
  readonly header?: string;
  readonly options?: readonly QuestionOption[];
  /** Several of the options may be chosen. */
  readonly multi_select?: true;
}

/** The questions of a request one by one. */
export function askedQuestions({ question, options, questions }: { readonly question: string; readonly options?: readonly string[]; readonly questions?: readonly AskedQuestion[] }): readonly AskedQuestion[] {
  return questions ?? [{ question, ...(options ? { options: options.map((label) => ({ label })) } : {}) }];
}

/** The answers to the questions of one call, in their order, as the one text that the model reads. */
export function answersText(questions: readonly AskedQuestion[], answers: readonly string[]): string {
  if (questions.length === 1) return answers[0] ?? '';
  return questions.map(({ question }, index) => `${index + 1}. ${question}\n${answers[index] ?? '(no answer)'}`).join('\n');
}

/** The answer that was typed to a question: numbers stand for the options; anything else is the person's own words. */
export function chosenText({ options = [], multi_select }: AskedQuestion, typed: string): string {
  const numbers = multi_select ? typed.split(/[\s,]+/).filter(Boolean) : [typed.trim()];
  const chosen = numbers.map((number) => (/^\d+$/.test(number) ? options[Number(number) - 1]?.label : undefined));
  return chosen.every((label) => label !== undefined) ? chosen.join(', ') : typed;
}
