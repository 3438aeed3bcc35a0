/** File names of trigger suites in the folder `evals` or beside SKILL.md, the first one that is there counts. */
export const TRIGGER_FILES: readonly string[] = ['triggers.json', 'trigger-eval.json', 'trigger_eval.json', 'trigger-evals.json', 'trigger_evals.json', 'eval_queries.json', 'queries.json', 'eval_set.json'];

/** File names of all suites, in the same places. */
export const SUITE_FILES: readonly string[] = ['evals.json', ...TRIGGER_FILES];
