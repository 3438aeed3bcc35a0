import { updateSkills, type SkillUpdate } from '../../skills/library/update.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine, palette, printable, printJson, write } from '../terminal.ts';
import { consent } from '../yes-or-no.ts';
import { workOnLibrary } from './library-work.ts';

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
  const shown = flags.json ? process.stderr : process.stdout;
  await workOnLibrary(flags, async ({ quiet, ...parts }) => {
    const { scope } = parts.library;
    const updates = await updateSkills({
      ...parts,
      names: names.map((name) => (name.startsWith(`${scope}:`) ? name.slice(scope.length + 1) : name)),
      replace: flags.replace === true,
      check: flags.check === true,
      review: async (due) => {
        quiet();
        for (const update of due) await write(shown, differenceText(update, shown));
        const ask = consent({ yes: flags.yes === true, what: 'an update' });
        return ask === undefined || ask(`Update ${due.map(({ name }) => oneLine(name)).join(', ')}?`);
      },
      now: Date.now,
    });
    if (flags.json) await printJson({ skills: updates });
    else await tell(updates, flags);
    return exitOf(updates, flags);
  });
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
    case 'skillpack': return `it came as a skillpack; to update it, install the newer file: skillmint skills install FILE.skillpack --replace`;
    case 'failed': return `could not be looked at: ${problem ?? ''}`;
  }
}
