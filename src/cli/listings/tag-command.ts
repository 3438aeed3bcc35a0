import { SkillmintError } from '../../protocol/errors.ts';
import { costText } from '../../runtime/tags/tag-asker.ts';
import { tagSkillsHere, type TagsHere } from '../../runtime/tags/tag-skills-here.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interrupts.ts';
import { startProgress } from '../library/progress.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { consent } from '../yes-or-no.ts';
import { indexingLine } from './indexing-line.ts';
import { libraryHere } from './skills-here.ts';

/** What `skillmint skills tag` can be told. */
export interface TagFlags {
  readonly limit?: number;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `skillmint skills tag`. */
export async function tagCommand(flags: TagFlags): Promise<void> {
  const { say, end } = startProgress();
  const line = indexingLine();
  try {
    process.exitCode = await interruptible(async (signal) => {
      const done = await tagSkillsHere(process.cwd(), await libraryHere(), {
        limit: flags.limit ?? Number.POSITIVE_INFINITY,
        signal,
        indexing: (progress) => line.show(progress.done),
        confirm: async ({ skills, calls, model }) => {
          line.clear();
          const what = `writing tags for ${count(skills, 'skill')} with ${oneLine(model)} (${count(calls, 'call')})`;
          const ask = consent({ yes: flags.yes === true, what });
          if (ask && !(await ask(`Begin ${what}? Their names, descriptions and the beginnings of their instructions are sent.`))) throw new SkillmintError('permission_denied', 'No tags were written.');
          say(`writing tags: 0 of ${count(skills, 'skill')}`);
          return true;
        },
        progress: (ready, of) => say(`writing tags: ${ready} of ${count(of, 'skill')}`),
      });
      end();
      line.clear();
      for (const notice of done.notices) await write(process.stderr, `skillmint: ${oneLine(notice)}\n`);
      await tell(done, flags);
      return exitOf(done);
    });
  } finally {
    end();
  }
}

async function tell(done: TagsHere, flags: TagFlags): Promise<void> {
  const { model, wanted, tagged, unreadable, calls, usage, cost_usd, failure, stopped } = done;
  if (flags.json) {
    await printJson({ model, skills: wanted, tagged, unreadable, calls, usage, ...(cost_usd === undefined ? {} : { cost_usd }), ...(failure === undefined ? {} : { problem: failure }), stopped });
    return;
  }
  const lines = [
    wanted === 0 && !stopped ? 'No skill here wants tags.' : `Tags were written for ${tagged} of ${count(wanted, 'skill')} with ${model} (${costText(done)}).`,
    ...(unreadable > 0 ? [`What the model answered for ${count(unreadable, 'skill')} could not be understood; they can be tried again.`] : []),
    ...(stopped ? ['Stopped before the end; what was written stays.'] : []),
    ...(failure === undefined ? [] : [`The model failed: ${failure}. What was written stays.`]),
  ];
  await write(process.stderr, `${lines.map(oneLine).join('\n')}\n`);
}

function exitOf({ failure, unreadable, stopped }: TagsHere): number {
  if (stopped) return EXIT.interrupted;
  return failure !== undefined || unreadable > 0 ? EXIT.failed : EXIT.done;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
