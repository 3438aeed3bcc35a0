import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillTurn } from '../../runtime/skills/why-skill.ts';
import { openRuntime } from '../open-runtime.ts';
import { cut } from '../../skills/activate/plain-line.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';

/** What `skillmint skills why` can be told. */
export interface WhyFlags {
  readonly json?: boolean;
  readonly session?: string;
  /** Only the turns in which the skill was not loaded. */
  readonly not?: boolean;
}

/** `skillmint skills why`. */
export async function whyCommand(skill: string, flags: WhyFlags): Promise<void> {
  const runtime = await openRuntime({ terminal: false });
  try {
    const sessionId = flags.session ?? (await runtime.sessions.list({ limit: 1, cwd: process.cwd() }))[0]?.session_id;
    if (sessionId === undefined) throw new SkillmintError('session_not_found', 'There is no session of this folder yet. Name one with --session; see: skillmint sessions list --all');
    const why = await runtime.why(sessionId, skill);
    const turns = flags.not ? why.turns.filter(({ outcome }) => outcome !== 'loaded') : why.turns;
    if (flags.json) return await printJson({ ...why, turns });
    await write(process.stdout, `${oneLine(why.skill_id)} in session ${why.session_id}\n`);
    if (why.obstacle !== undefined) await write(process.stdout, `  now: ${oneLine(why.obstacle)}\n`);
    for (const turn of turns) await write(process.stdout, turnLines(turn));
    if (turns.length === 0) await write(process.stdout, flags.not && why.turns.length > 0 ? '  it was loaded in every turn\n' : '  the session has no turn yet\n');
  } finally {
    await runtime.close();
  }
}

function turnLines({ text, outcome, why, score }: SkillTurn): string {
  const paint = palette(process.stdout);
  const colour = outcome === 'loaded' ? paint.green : outcome === 'offered' ? paint.yellow : paint.dim;
  return `${paint.bold(`"${cut(oneLine(text), 60)}"`)}\n  ${colour(outcome)}: ${oneLine(why)}${score === undefined || score === 0 ? '' : ` (score ${score})`}\n`;
}
