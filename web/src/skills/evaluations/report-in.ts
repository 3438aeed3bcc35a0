import type { EvaluationReport } from '../../../../src/evaluate/report/report.ts';
import type { JsonObject } from '../../../../src/protocol/json.ts';

/** The report that the server has sent; nothing where it has sent none, or one of another version. */
export function reportIn(sent: JsonObject | undefined): EvaluationReport | undefined {
  return isReport(sent) ? sent : undefined;
}

function isReport(sent: unknown): sent is EvaluationReport {
  return typeof sent === 'object' && sent !== null && ['arms', 'differences', 'expectations', 'triggers', 'notes'].every((name) => Array.isArray(Reflect.get(sent, name))) && typeof Reflect.get(sent, 'verdict') === 'string';
}
