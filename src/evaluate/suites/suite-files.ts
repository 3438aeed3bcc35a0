/** File name of output suites, in the folder `evals` or beside SKILL.md. */
export const OUTPUT_FILE = 'evals.json';

/** File names of trigger suites, in the same places; the first one that is there counts. Beside SKILL.md only what has the form of a suite is one. */
export const TRIGGER_FILES: readonly string[] = ['triggers.json', 'trigger-eval.json', 'trigger_eval.json', 'trigger-evals.json', 'trigger_evals.json', 'eval_queries.json', 'queries.json', 'eval_set.json'];

/** File names of all suites, in the same places. */
export const SUITE_FILES: readonly string[] = [OUTPUT_FILE, ...TRIGGER_FILES];
