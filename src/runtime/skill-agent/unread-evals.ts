import { SUITE_FILES } from '../../evaluate/suites/suite-files.ts';

/** Rules that keep evals from the agent, wherever they lie: an edit is judged by cases that its author has not seen. */
export const UNREAD_EVALS: readonly string[] = ['Read(//**/evals/**)', ...SUITE_FILES.map((file) => `Read(//**/${file})`)];
