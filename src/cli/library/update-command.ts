import { localTree } from '../../host/local-tree.ts';
import { skillFetcher } from '../../runtime/skill-fetcher.ts';
import { parseSource } from '../../skills/library/parse-source.ts';
import { updateSkills, type SkillUpdate } from '../../skills/library/update.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interrupts.ts';
import { oneLine, palette, printable, printJson, write } from '../terminal.ts';
import { consent } from './consent.ts';
import { asScope, libraryHere } from './library-here.ts';
import { startProgress } from './progress.ts';

/** What `skillmint skills update` can be told. */
export interface UpdateFlags {
  readonly scope: string;
  readonly check?: boolean;
  readonly replace?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `skillmint skills update`. */
export async function updateCommand(names: readonly string[], flags: UpdateFlags): Promise<void> {
  const { library, loaded, cwd } = await libraryHere(asScope(flags.scope));
  const shown = flags.json ? process.stderr : process.stdout;
  const progress = startProgress();
  try {
    process.exitCode = await interruptible(async (signal) => {
      const updates = await updateSkills({
        tree: localTree(),
        library,
        parse: (text) => parseSource(text, cwd),
        fetch: skillFetcher({ allow: loaded.values.network.allow, env: process.env, progress: progress.say, signal }),
        names: names.map((name) => (name.startsWith(`${library.scope}:`) ? name.slice(library.scope.length + 1) : name)),
        replace: flags.replace === true,
        check: flags.check === true,
        review: async (due) => {
          progress.end();
          for (const update of due) await write(shown, differenceText(update, shown));
          const ask = consent({ yes: flags.yes === true, what: 'an update' });
          return ask === undefined || ask(`Update ${due.map(({ name }) => oneLine(name)).join(', ')}?`);
        },
        progress: progress.say,
        signal,
        now: Date.now,
      });
      if (flags.json) await printJson({ skills: updates });
      else await tell(updates, flags);
      return exitOf(updates, flags);
    });
  } finally {
    progress.end();
  }
}

function exitOf(updates: readonly SkillUpdate[], flags: UpdateFlags): number {
  if (updates.some(({ status }) => status === 'failed')) return EXIT.failed;
  return !flags.check && updates.some(({ status }) => status === 'changed') ? EXIT.refused : EXIT.done;
}

/** What an update changes, for a person. */
function differenceText({ name, source, from, to, diff }: SkillUpdate, stream: NodeJS.WriteStream): string {
  const paint = palette(stream);
  const version = (one: SkillUpdate['from'] | undefined): string => one?.version ?? one?.commit?.slice(0, 12) ?? one?.digest.slice(7, 19) ?? '';
  const files = [...(diff?.added ?? []).map((file) => paint.green(`  + ${oneLine(file)}`)), ...(diff?.removed ?? []).map((file) => paint.red(`  - ${oneLine(file)}`)), ...(diff?.changed ?? []).map((file) => paint.yellow(`  ~ ${oneLine(file)}`))];
  const patch = printable(diff?.patch ?? '').split('\n').filter((line) => line !== '').map((line) => `  ${line.startsWith('+') ? paint.green(line) : line.startsWith('-') ? paint.red(line) : line}`);
  return `${[`${paint.bold(oneLine(name))}  ${oneLine(version(from))} → ${oneLine(version(to))}  ${paint.dim(oneLine(source))}`, ...files, ...patch].join('\n')}\n`;
}

async function tell(updates: readonly SkillUpdate[], { check }: UpdateFlags): Promise<void> {
  if (updates.length === 0) return write(process.stderr, 'The lock file has no skills; there is nothing to update.\n');
  for (const update of updates) {
    if (check && update.status === 'outdated') await write(process.stdout, differenceText(update, process.stdout));
    await write(process.stderr, `${oneLine(update.name)}: ${oneLine(stateText(update))}\n`);
  }
}

function stateText({ name, status, updated, changed_by_hand: byHand, problem }: SkillUpdate): string {
  switch (status) {
    case 'current': return byHand ? 'up to date, but changed by hand' : 'up to date';
    case 'outdated': return updated ? `updated; it is not trusted until you have looked at it: skillmint skills trust ${name}` : 'there is a newer version';
    case 'changed': return 'there is a newer version, but it was changed by hand; say --replace to give up that change';
    case 'failed': return `could not be looked at: ${problem ?? ''}`;
  }
}
