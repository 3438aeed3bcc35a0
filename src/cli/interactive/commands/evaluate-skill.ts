import { SkillmintError } from '../../../protocol/errors.ts';
import type { EvaluationReport } from '../../../evaluate/report/report.ts';
import type { EvaluateOptions } from '../../../runtime/evaluate/evaluate-options.ts';
import { NoSuiteError } from '../../../runtime/evaluate/find-suites.ts';
import { draftedText } from '../../evaluate/drafted-text.ts';
import { evaluationLine } from '../../evaluate/evaluation-line.ts';
import { reportText } from '../../evaluate/report-text.ts';
import { dollars, oneOf, wholeNumber } from '../../options.ts';
import { folderOf, type Conversation } from '../conversation.ts';
import { approval } from './approval.ts';
import { parsed, takeFlags, takeWord } from './take-flags.ts';
import { ways } from './ways.ts';

/** `/skill evaluate`: measures a skill. One that has no evals is offered a draft of some, which is shown before it is written. */
export async function evaluateSkillCommand(conversation: Conversation, given: string): Promise<void> {
  const { word: skill, rest } = takeWord(given);
  const { flags, rest: more } = takeFlags(rest, ['suite', 'runs', 'budget', 'model', 'judge', 'against', 'resume']);
  if (more !== '' || (skill === undefined) === (flags.resume === undefined)) throw new SkillmintError('usage', 'Use /skill evaluate SKILL, with --suite, --runs, --budget, --model, --judge or --against behind it, or /skill evaluate --resume ID.');
  const { turn: { sandbox, deny } } = conversation;
  const [runs, budgetUsd] = [parsed('runs', flags.runs, wholeNumber(1)), parsed('budget', flags.budget, dollars)];
  const { model = (await ways(conversation)).model, judge, against, suite, resume } = flags;
  const cwd = await folderOf(conversation);
  const fresh: EvaluateOptions = {
    ...(skill === undefined ? {} : { skill }), ...(suite === undefined ? {} : { suite: oneOf(suite, ['triggers', 'output', 'all'], '--suite') }), ...(runs === undefined ? {} : { runs }),
    ...(model === undefined ? {} : { model }), ...(judge === undefined ? {} : { judge }), ...(against === undefined ? {} : { against }),
    ...(sandbox === undefined || sandbox === 'ask' ? {} : { sandbox }), ...(deny === undefined ? {} : { deny }),
  };
  const options = { cwd, ...(resume === undefined ? fresh : { resume }), ...(budgetUsd === undefined ? {} : { budgetUsd }) };
  const report = await measureOrDraft(conversation, options);
  if (report) await conversation.face.print(reportText(report, undefined));
}

async function measureOrDraft(conversation: Conversation, options: EvaluateOptions): Promise<EvaluationReport | undefined> {
  const { face } = conversation;
  try {
    return await measure(conversation, options);
  } catch (error) {
    if (!(error instanceof NoSuiteError)) throw error;
    await face.notice(error.message);
    const { skill, cwd, model } = options;
    if (!(await face.confirm('Have the model draft evals, to look at before they are written?'))) return undefined;
    const drafted = await approval(face, (approve) => face.work('drafting evals', ({ signal }) => conversation.runtime.draftEvals({ signal, approve, ...(skill === undefined ? {} : { skill }), ...(cwd === undefined ? {} : { cwd }), ...(model === undefined ? {} : { model }) })));
    if (!drafted) return undefined;
    await face.print(draftedText(drafted));
    return (await face.confirm('Measure with them now? Corrected ones tell more.')) ? measure(conversation, options) : undefined;
  }
}

async function measure({ runtime, face }: Conversation, options: EvaluateOptions): Promise<EvaluationReport> {
  const warnings: string[] = [];
  const report = await face.work('evaluating', ({ signal, progress }) => runtime.evaluateSkill({
    ...options, signal,
    onEvent: (event) => {
      if (event.type === 'warning') warnings.push(event.message);
      const line = evaluationLine(event);
      if (line !== undefined) progress(line);
    },
  }));
  for (const warning of warnings) await face.notice(warning);
  return report;
}
