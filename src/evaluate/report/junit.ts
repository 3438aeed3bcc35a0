import type { RunRecord } from '../runs/record.ts';
import type { EvaluationReport } from './report.ts';

/** `junit.xml`: a test suite for each arm, a test for each run, and one for the verdict. */
export function junitFile(report: EvaluationReport): string {
  const groups = new Map<string, RunRecord[]>();
  for (const record of report.records) {
    const name = `${record.suite}.${record.arm}`;
    groups.set(name, [...(groups.get(name) ?? []), record]);
  }
  const suites = [...groups].map(([name, records]) => suiteOf(name, records));
  const worse = report.verdict === 'worse';
  const verdict = `  <testsuite name="verdict" tests="1" failures="${worse ? 1 : 0}" errors="0">\n    <testcase classname="verdict" name="${xml(report.skill.name)}: ${xml(report.verdict)}">${worse ? `<failure message="${xml(report.recommendation)}"/>` : ''}</testcase>\n  </testsuite>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xml(report.skill.name)}">\n${[...suites, verdict].join('\n')}\n</testsuites>\n`;
}

function suiteOf(name: string, records: readonly RunRecord[]): string {
  const tests = records.map((record) => {
    const missed = record.grades.filter(({ verdict }) => verdict === 'failed');
    const open = record.grades.filter(({ verdict }) => verdict === 'not judged');
    const inner = record.outcome === 'failed' ? `<error message="${xml(record.reason ?? 'failed')}"/>` : missed.length > 0 ? `<failure message="${xml(missed.map(({ text }) => text).join('; '))}">${xml(missed.map(({ text, evidence }) => `${text}\n  ${evidence}`).join('\n'))}</failure>` : open.length > 0 ? `<skipped message="${xml(`not judged: ${open.map(({ text }) => text).join('; ')}`)}"/>` : '';
    return `    <testcase classname="${xml(name)}" name="${xml(record.entry)} run ${record.number}" time="${(record.duration_ms / 1_000).toFixed(3)}">${inner}</testcase>`;
  });
  const failed = records.filter(({ outcome }) => outcome === 'failed').length;
  const missed = records.filter(({ outcome, grades }) => outcome === 'measured' && grades.some(({ verdict }) => verdict === 'failed')).length;
  return `  <testsuite name="${xml(name)}" tests="${records.length}" failures="${missed}" errors="${failed}">\n${tests.join('\n')}\n  </testsuite>`;
}

/** Text for XML and HTML; characters that XML does not know are left out. */
export function xml(text: string): string {
  const known = text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
  return known.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\'', '&#39;');
}
