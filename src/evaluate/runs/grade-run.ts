import { NOTHING_SPENT, type AskJudge } from '../judge/ask-judge.ts';
import { gradeByJudge } from '../judge/grade.ts';
import type { JudgedRun } from '../judge/material.ts';
import { isAboutSkill, type EvalCase, type Expectation } from '../suites/suite.ts';
import type { ExecutedRun, RunEntry } from './executed-run.ts';
import type { PlannedRun } from './plan.ts';
import type { Grade, RunRecord, SkillUse } from './record.ts';
import { runCheck } from './run-check.ts';
import { transcriptOf, transcriptText, type Transcript } from './transcript.ts';

/** What a run is graded with. */
export interface GradeOptions {
  readonly ask: AskJudge;
  readonly signal: AbortSignal;
}

/** What a judge is shown of a run: nothing in it tells the arm. */
export function blindly(run: Pick<ExecutedRun, 'outputs' | 'hide'>, transcript: Transcript): JudgedRun {
  const hidden = (text: string): string => run.hide.reduce((left, word) => (word === '' ? left : left.replaceAll(word, '<folder>')), text);
  return { transcript: transcriptText(transcript, { blind: true, hide: run.hide }), answer: hidden(transcript.answer), outputs: run.outputs };
}

/** Grades a run: first what can be checked, then what a judge has to decide. */
export async function gradeRun(planned: PlannedRun, entry: RunEntry, run: ExecutedRun, options: GradeOptions): Promise<RunRecord> {
  const transcript = transcriptOf(run.events, run.skill);
  const graded = run.failure !== undefined ? NOT_GRADED : entry.suite === 'output' ? await gradeCase(entry.entry, run, transcript, options) : gradeTrigger(entry.entry.should_trigger, transcript.use);
  const tools: Record<string, number> = {};
  for (const { tool } of transcript.calls) tools[tool] = (tools[tool] ?? 0) + 1;
  return {
    ...planned, kind: 'run',
    session_id: run.session_id, status: run.status,
    outcome: run.failure === undefined ? 'measured' : 'failed',
    ...(run.failure === undefined ? {} : { reason: run.failure }),
    ...graded,
    skill: transcript.use,
    tools,
    tool_errors: transcript.calls.filter(({ status }) => status === 'error' || status === 'interrupted').length,
    steps: transcript.steps,
    output_chars: transcript.answer.length + run.outputs.reduce((sum, { bytes }) => sum + bytes, 0),
    transcript_chars: transcriptText(transcript, { blind: false }).length,
    spent: run.spent,
    duration_ms: run.duration_ms,
  };
}

type Graded = Pick<RunRecord, 'grades' | 'judged' | 'suggestions'>;
const NOT_GRADED: Graded = { grades: [], judged: NOTHING_SPENT, suggestions: [] };

/** True for a run in which the skill was loaded and the model went on with it. */
export function hasTriggered({ loaded, followed }: SkillUse): boolean {
  return loaded && followed;
}

function gradeTrigger(wanted: boolean, use: SkillUse): Graded {
  const triggered = hasTriggered(use);
  const evidence = triggered ? 'The log has it loaded, and the model went on.' : use.loaded ? 'It was loaded, and nothing followed.' : use.selected ? 'It was asked for and did not come into force.' : use.offered ? 'It was offered, and nobody asked for it.' : 'It was not offered.';
  return { ...NOT_GRADED, grades: [{ text: wanted ? 'The skill is used' : 'The skill is not used', by: 'check', about_skill: true, verdict: triggered === wanted ? 'passed' : 'failed', evidence }] };
}

async function gradeCase(entry: EvalCase, run: ExecutedRun, transcript: Transcript, { ask, signal }: GradeOptions): Promise<Graded> {
  const byCheck = new Map<Expectation, Grade>();
  // Commands may change files, so they come last.
  const isCommand = (one: Expectation): boolean => one.kind === 'check' && one.check.type === 'command';
  for (const one of [...entry.expectations].sort((a, b) => Number(isCommand(a)) - Number(isCommand(b)))) {
    if (one.kind !== 'check') continue;
    const { passed, evidence } = await runCheck(one.check, { world: run.world, transcript, scripts: run.scripts });
    byCheck.set(one, { text: one.text, by: 'check', about_skill: isAboutSkill(one), verdict: passed === undefined ? 'not applicable' : passed ? 'passed' : 'failed', evidence });
  }
  const texts = entry.expectations.flatMap((one) => (one.kind === 'judged' ? [one.text] : []));
  const judged = texts.length === 0 ? undefined : await gradeByJudge({ task: entry.prompt, ...(entry.expected === undefined ? {} : { expected: entry.expected }), run: blindly(run, transcript), expectations: texts }, ask, signal);
  let next = 0;
  const grades = entry.expectations.map((one): Grade => {
    const known = byCheck.get(one);
    if (known) return known;
    const { passed, evidence = 'Not judged.' } = judged?.judgements[next++] ?? {};
    return { text: one.text, by: 'judge', about_skill: false, verdict: passed === undefined ? 'not judged' : passed ? 'passed' : 'failed', evidence };
  });
  return { grades, judged: judged?.spent ?? NOTHING_SPENT, suggestions: judged?.suggestions ?? [] };
}
