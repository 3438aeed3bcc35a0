import { intervalText, points } from '../../evaluate/report/words.ts';
import type { Enhancement, SuiteGain, TriedEdit } from '../../runtime/enhance/enhancement.ts';
import { oneLine, palette } from '../terminal.ts';

/** What came of a conversation, for a terminal. Texts from elsewhere are made safe. */
export function enhancementText(enhancement: Enhancement): string {
  const { decision, reason, quotes = [], request, skill, cases, tried, best, held_out: heldOut = [], result, stopped, warnings, folder, cost_usd: cost, id } = enhancement;
  const paint = palette(process.stdout);
  const edit = tried.find(({ round }) => round === best);
  const tone = result?.verdict === 'accepted' ? paint.green : result?.verdict === 'rejected' ? paint.red : paint.yellow;
  const lines = [
    ...(decision === undefined ? [] : [`${paint.bold('Decision')}: ${decision}${skill ? ` ${oneLine(skill.id)}` : ''}. ${oneLine(reason ?? '')}`]),
    ...quotes.map(({ seq, text }) => paint.dim(`  [${seq}] ${oneLine(text)}`)),
    ...(request === undefined ? [] : [`It would do: ${oneLine(request)}`, `Have it made: skillmint skills create --prompt ${JSON.stringify(oneLine(request))}`]),
    ...(cases ? [`Cases: ${cases.learn} to learn from, ${cases.held_out} held out`] : []),
    ...tried.map(editLine),
    ...(edit ? ['', ...edit.patch.split('\n').map((line) => paintLine(oneLine(line), paint)), ''] : []),
    ...heldOut.map((gain) => `Held out, ${gain.suite}: ${gainText(gain)}`),
    ...(result ? [`${paint.bold('Verdict')}: ${tone(result.verdict)}. ${result.reasons.map(oneLine).join(' ')}`] : []),
    ...(stopped === undefined ? [] : [`It was ended: ${oneLine(stopped)}`, `It goes on with: skillmint skills enhance --resume ${id}`]),
    ...warnings.map((warning) => paint.dim(`Note: ${oneLine(warning)}`)),
    paint.dim(`${id}, $${cost.toFixed(4)}. Files: ${oneLine(folder)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function editLine({ round, summary, lines, learn }: TriedEdit): string {
  return `Edit ${round}, ${lines} lines: ${oneLine(summary)} ${learn.map((gain) => `(${gain.suite} ${gainText(gain)})`).join(' ') || '(not measured)'}`;
}

function gainText({ mean, interval }: SuiteGain): string {
  return mean === undefined || !interval ? 'not measured' : `${points(mean)} points (95 %: ${intervalText(interval)})`;
}

function paintLine(line: string, paint: ReturnType<typeof palette>): string {
  if (line.startsWith('+')) return paint.green(line);
  return line.startsWith('-') ? paint.red(line) : line;
}
