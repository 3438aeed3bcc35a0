import fs from 'node:fs/promises';
import path from 'node:path';
import { baselineFile, compareWithBaseline, readBaseline, type Baseline, type BaselineComparison } from '../../evaluate/report/baseline.ts';
import type { EvaluateOptions } from '../../runtime/evaluate/evaluate-options.ts';
import type { EvaluationReport } from '../../evaluate/report/report.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interrupts.ts';
import { startProgress } from '../library/progress.ts';
import { openRuntime } from '../open-runtime.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { draftedText } from './drafted-text.ts';
import { evaluationLine } from './evaluation-line.ts';
import { gradesText, reportText } from './report-text.ts';

/** What `skillmint skills evaluate` can be told. */
export interface EvaluateFlags {
  readonly suite: 'triggers' | 'output' | 'all';
  readonly evals?: string;
  readonly only?: readonly string[];
  readonly runs?: number;
  readonly parallel?: number;
  readonly seed?: number;
  readonly against?: string;
  readonly crowd?: true | string;
  readonly model?: string;
  readonly judge?: string;
  /** A share. */
  readonly margin?: number;
  readonly budget?: number;
  readonly maxRuns?: number;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly sandbox?: 'required' | 'off';
  readonly ci?: boolean;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly report?: string;
  readonly resume?: string;
  readonly fresh?: boolean;
  readonly draft?: boolean;
  readonly grades?: string;
  /** `true`: as many stay as the settings say. */
  readonly clean?: true | string;
  readonly json?: boolean;
}

/** `skillmint skills evaluate`: resolves to the exit code. */
export function evaluateCommand(skill: string | undefined, flags: EvaluateFlags): Promise<number> {
  checkFlags(skill, flags);
  return interruptible(async (signal) => {
    const { say, end } = startProgress();
    const warnings: string[] = [];
    const runtime = await openRuntime({ terminal: false });
    try {
      if (flags.clean !== undefined) return await clean(runtime, flags.clean, { json: flags.json === true });
      if (flags.grades !== undefined) return await grades(runtime, flags.grades, flags);
      if (flags.draft) return await draft(runtime, { skill: skill ?? '', flags, signal });
      const baseline = await baselineFor(runtime, skill, flags);
      const report = await runtime.evaluateSkill({
        ...optionsOf(flags),
        ...(skill === undefined ? {} : { skill }),
        signal,
        onEvent: (event) => {
          if (event.type === 'warning') warnings.push(event.message);
          const line = evaluationLine(event);
          if (line !== undefined) say(line);
        },
      });
      end();
      for (const warning of warnings) await write(process.stderr, `skillmint: ${oneLine(warning)}\n`);
      const compared = await compare(report, flags, baseline);
      if (flags.writeBaseline !== undefined) await keepBaseline(path.resolve(flags.writeBaseline), report);
      if (flags.json) await printJson({ ...report, ...(compared ? { baseline: compared } : {}) });
      else await write(process.stdout, reportText(report, compared));
      return exitOf(report, { ci: flags.ci === true, compared });
    } finally {
      end();
      await runtime.close();
    }
  });
}

function checkFlags(skill: string | undefined, flags: EvaluateFlags): void {
  if (flags.clean !== undefined) {
    const given = Object.keys(flags).find((name) => !['clean', 'json', 'suite'].includes(name));
    if (skill !== undefined || given !== undefined) throw new SkillmintError('usage', 'With --clean nothing is evaluated: give it alone, or with --json.');
    return;
  }
  if (flags.grades !== undefined) {
    if (skill !== undefined || flags.resume !== undefined) throw new SkillmintError('usage', 'With --grades nothing is evaluated: leave out the skill and --resume.');
    return;
  }
  if (skill === undefined && flags.resume === undefined) throw new SkillmintError('usage', 'Name the skill: skillmint skills evaluate NAME, or go on with one that was cut off: --resume ID.');
  if (flags.resume === undefined) return;
  const fixed = ['evals', 'only', 'runs', 'seed', 'against', 'crowd', 'model', 'judge', 'margin', 'allow', 'deny', 'sandbox', 'draft'] as const;
  const given = fixed.find((name) => flags[name] !== undefined);
  if (given !== undefined || skill !== undefined) throw new SkillmintError('usage', `With --resume the evaluation goes on as it was begun: leave out ${given === undefined ? 'the skill' : `--${given}`}. Limits (--budget, --max-runs) and --parallel may change.`);
}

function optionsOf(flags: EvaluateFlags): EvaluateOptions {
  const { budget, crowd, report } = flags;
  const wanted = crowd === undefined ? {} : { crowd: crowd === true ? 'all' as const : crowdSize(crowd) };
  const given = { only: flags.only, runs: flags.runs, parallel: flags.parallel, seed: flags.seed, against: flags.against, model: flags.model, judge: flags.judge, margin: flags.margin, maxRuns: flags.maxRuns, allow: flags.allow, deny: flags.deny, sandbox: flags.sandbox, resume: flags.resume, evals: flags.evals, fresh: flags.fresh };
  return {
    cwd: process.cwd(), suite: flags.suite, ...defined(given), ...wanted,
    ...(budget === undefined ? {} : { budgetUsd: budget }),
    ...(report === undefined ? {} : { report: path.resolve(report) }),
  };
}

/** Without what was not given. */
function defined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // Only entries that are there stay, each under its own key.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function crowdSize(text: string): number {
  const size = Number(text);
  if (!Number.isSafeInteger(size) || size < 1) throw new SkillmintError('usage', `--crowd takes a whole number of skills, or nothing for all; "${text}" is none.`);
  return size;
}

async function clean(runtime: Runtime, wanted: true | string, { json }: { readonly json: boolean }): Promise<number> {
  const keep = wanted === true ? undefined : Number(wanted);
  if (keep !== undefined && !(Number.isSafeInteger(keep) && keep >= 0)) throw new SkillmintError('usage', `--clean takes how many evaluations stay, a whole number, or nothing for what the setting evaluate.keep says; "${String(wanted)}" is none.`);
  const cleaned = await runtime.evaluations.clean({ cwd: process.cwd(), ...(keep === undefined ? {} : { keep }) });
  if (json) await printJson(cleaned);
  else await write(process.stdout, `Removed ${cleaned.evaluations} evaluations, ${cleaned.enhancements} enhancements, ${cleaned.sessions} sessions of runs and ${cleaned.drafts} drafts.\n`);
  return EXIT.done;
}

async function grades(runtime: Runtime, folder: string, { margin, json }: Pick<EvaluateFlags, 'margin' | 'json'>): Promise<number> {
  const read = await runtime.readGrades(path.resolve(folder), margin === undefined ? {} : { margin });
  if (json) await printJson(read);
  else await write(process.stdout, gradesText(read));
  return EXIT.done;
}

async function draft(runtime: Runtime, { skill, flags, signal }: { readonly skill: string; readonly flags: EvaluateFlags; readonly signal: AbortSignal }): Promise<number> {
  const drafted = await runtime.draftEvals({ skill, cwd: process.cwd(), signal, ...defined({ evals: flags.evals, model: flags.model }) });
  if (flags.json) await printJson(drafted);
  else await write(process.stdout, `${draftedText(drafted)}Nothing was run. Read them, correct them, take out "draft", then: skillmint skills evaluate ${oneLine(skill)}\n`);
  return EXIT.done;
}

async function baselineIn(file: string): Promise<Baseline> {
  let text: string;
  try {
    text = await fs.readFile(file, 'utf8');
  } catch (error) {
    throw new SkillmintError('not_found', `The baseline ${file} cannot be read: ${messageOf(error)}. Make one with --write-baseline ${file}.`, { cause: error });
  }
  const baseline = readBaseline(file, text);
  if (typeof baseline === 'string') throw new SkillmintError('invalid_argument', baseline);
  return baseline;
}

/** Read before anything is run. Undefined where none is wanted, or only the evaluation that goes on knows its skill. */
async function baselineFor(runtime: Runtime, skill: string | undefined, { baseline, ci }: EvaluateFlags): Promise<Baseline | undefined> {
  if (baseline !== undefined) return baselineIn(path.resolve(baseline));
  if (!ci || skill === undefined) return undefined;
  const folder = /[/\\]|^\.+$/.test(skill) ? path.resolve(skill) : await (await runtime.library(process.cwd())).folder(skill);
  return baselineIn(path.join(folder, 'evals', 'baseline.json'));
}

async function compare(report: EvaluationReport, flags: EvaluateFlags, given: Baseline | undefined): Promise<readonly BaselineComparison[] | undefined> {
  if (!flags.ci && !given) return undefined;
  return compareWithBaseline(report, given ?? (await baselineIn(path.join(report.skill.path, 'evals', 'baseline.json'))));
}

async function keepBaseline(file: string, report: EvaluationReport): Promise<void> {
  if (report.stopped) throw new SkillmintError('invalid_argument', `No baseline was written, since not all was measured: ${report.stopped.message} Go on with --resume ${report.id} --write-baseline ${file}.`);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, `${JSON.stringify(baselineFile(report), null, 2)}\n`);
}

function exitOf({ stopped, verdict, planned, measured }: EvaluationReport, { ci, compared }: { readonly ci: boolean; readonly compared: readonly BaselineComparison[] | undefined }): number {
  if (stopped?.reason === 'interrupted') return EXIT.interrupted;
  if (stopped?.reason === 'failures') return EXIT.failed;
  if (ci && (stopped || verdict === 'worse' || compared?.some((one) => one.verdict === 'worse'))) return EXIT.failed;
  if (stopped) return EXIT.limit;
  return measured < planned ? EXIT.failed : EXIT.done;
}
