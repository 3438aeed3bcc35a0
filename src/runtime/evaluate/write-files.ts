import fs from 'node:fs/promises';
import path from 'node:path';
import { benchmarkFile, gradingFile, metadataFile, runFolder, timingFile } from '../../evaluate/report/anthropic-files.ts';
import { htmlFile } from '../../evaluate/report/html.ts';
import { junitFile } from '../../evaluate/report/junit.ts';
import type { EvaluationReport } from '../../evaluate/report/report.ts';
import type { JudgedRun } from '../../evaluate/judge/material.ts';
import { blindly } from '../../evaluate/runs/grade-run.ts';
import type { ExecutedRun } from '../../evaluate/runs/executed-run.ts';
import type { Suites } from '../../evaluate/runs/plan.ts';
import type { RunRecord } from '../../evaluate/runs/record.ts';
import { transcriptOf, transcriptText } from '../../evaluate/runs/transcript.ts';
import { textIfThere } from '../../host/read-if-there.ts';
import { isJsonObject, parseJson } from '../../protocol/json.ts';
import { keepOutputs } from './run-workspace.ts';

/** Writes what a run leaves: grading, timing, transcript and outputs. Files of an earlier try are gone afterwards. */
export async function writeRunFiles(folder: string, suites: Suites, record: RunRecord, run: ExecutedRun, work: string): Promise<void> {
  const into = path.join(folder, runFolder(record));
  await fs.rm(into, { recursive: true, force: true });
  await keepOutputs(work, run.outputs, path.join(into, 'outputs'));
  const transcript = transcriptOf(run.events, run.skill);
  const metadata = metadataFile(suites, record);
  await writeJson(path.join(into, 'grading.json'), gradingFile(record));
  await writeJson(path.join(into, 'timing.json'), timingFile(record));
  if (metadata) await writeJson(path.join(into, 'eval_metadata.json'), metadata);
  await writeJson(path.join(into, 'material.json'), blindly(run, transcript));
  await fs.writeFile(path.join(into, 'transcript.md'), `${transcriptText(transcript, { blind: false })}\n`, { mode: 0o600 });
}

/** What a judge sees of a run whose files were written. */
export async function readMaterial(folder: string, record: RunRecord): Promise<JudgedRun | undefined> {
  const text = await textIfThere(path.join(folder, runFolder(record), 'material.json'));
  const value = parseJson(text);
  return isMaterial(value) ? value : undefined;
}

/** Writes the report of an evaluation into its folder, and into a further one where one is named. */
export async function writeReportFiles(report: EvaluationReport, suites: Suites, further: string | undefined): Promise<void> {
  for (const folder of [report.folder, ...(further === undefined ? [] : [further])]) {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await writeJson(path.join(folder, 'report.json'), report);
    await fs.writeFile(path.join(folder, 'report.html'), htmlFile(report), { mode: 0o600 });
    await fs.writeFile(path.join(folder, 'junit.xml'), junitFile(report), { mode: 0o600 });
    if (suites.output.length === 0) continue;
    const inLayout = folder === report.folder ? path.join(folder, 'iteration-1') : folder;
    await fs.mkdir(inLayout, { recursive: true, mode: 0o700 });
    await writeJson(path.join(inLayout, 'benchmark.json'), benchmarkFile(report, suites));
  }
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await fs.writeFile(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}

function isMaterial(value: unknown): value is JudgedRun {
  return isJsonObject(value) && typeof value['transcript'] === 'string' && typeof value['answer'] === 'string' && Array.isArray(value['outputs']);
}
