import { SkillmintError } from '../../protocol/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interrupts.ts';
import { startProgress } from '../library/progress.ts';
import { openRuntime } from '../open-runtime.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { asksYesOrNo, isTerminal } from '../yes-or-no.ts';
import { enhancementText } from './enhancement-text.ts';
import { takeEnhancement } from './take-enhancement.ts';

/** What `skillmint skills enhance` can be told. */
export interface EnhanceFlags {
  readonly conversation?: string;
  readonly resume?: string;
  readonly description?: boolean;
  readonly rounds?: number;
  readonly runs?: number;
  readonly seed?: number;
  readonly model?: string;
  readonly judge?: string;
  readonly budget?: number;
  readonly sandbox?: 'required' | 'off';
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `skillmint skills enhance`: resolves to the exit code. */
export function enhanceCommand(skill: string | undefined, flags: EnhanceFlags): Promise<number> {
  const { description, budget, yes, json, ...rest } = flags;
  checkFlags(skill, flags);
  if (yes && budget === undefined) throw new SkillmintError('usage', 'With --yes nobody looks at what it costs: say --budget USD, too.');
  return interruptible(async (signal) => {
    const { say, end } = startProgress();
    const runtime = await openRuntime({ terminal: false });
    try {
      const enhancement = await runtime.enhanceSkill({ ...rest, cwd: process.cwd(), signal, progress: say, part: description ? 'description' : 'all', ...(skill === undefined ? {} : { skill }), ...(budget === undefined ? {} : { budgetUsd: budget }) });
      end();
      if (!json) await write(process.stdout, enhancementText(enhancement));
      const outcome = signal.aborted ? {} : await takeEnhancement(runtime, enhancement, {
        yes: yes === true, tell: (text) => write(process.stderr, text),
        ...(!json && isTerminal() ? { confirm: asksYesOrNo } : {}),
        create: async (request) => {
          const making = startProgress();
          const created = await runtime.skillAgent.create({ request, cwd: enhancement.cwd, signal, progress: making.say }).finally(making.end);
          await write(process.stderr, created.outcome === 'made' ? `${oneLine(created.id)} was made: ${oneLine(created.folder)}. Look at it before you trust it: skillmint skills trust ${oneLine(created.name)}\n` : `No skill was made: ${oneLine(created.reason)}\n`);
          return { created };
        },
      });
      if (json) await printJson({ ...enhancement, ...outcome });
      if (signal.aborted) return EXIT.interrupted;
      return enhancement.status === 'stopped' ? EXIT.limit : EXIT.done;
    } finally {
      end();
      await runtime.close();
    }
  });
}

function checkFlags(skill: string | undefined, flags: EnhanceFlags): void {
  if (flags.resume === undefined) {
    if (flags.conversation === undefined) throw new SkillmintError('usage', 'Name the conversation: --conversation SESSION or a file of skillmint sessions export; or go on with one that was cut off: --resume ID.');
    return;
  }
  const fixed = ['conversation', 'description', 'rounds', 'runs', 'seed', 'model', 'judge', 'sandbox'] as const;
  const given = fixed.find((name) => flags[name] !== undefined);
  if (given !== undefined || skill !== undefined) throw new SkillmintError('usage', `With --resume the enhancement goes on as it was begun: leave out ${given === undefined ? 'the skill' : `--${given}`}. The limit --budget may change.`);
}
