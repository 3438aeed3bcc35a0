import { InvalidArgumentError, Option } from 'commander';
import { SkillmintError } from '../protocol/errors.ts';

/** Parser of a whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < least) throw new InvalidArgumentError(`"${text}" is no whole number of at least ${least}.`);
    return value;
  };
}

/** Parser of a positive amount in USD. */
export function dollars(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError(`"${text}" is no amount above 0.`);
  return value;
}

/** Collects a flag that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** `--output`, the same for every command that runs a turn. */
export function outputOption(): Option {
  return new Option('-o, --output <form>', 'what goes to standard output').choices(['text', 'json', 'stream-json']).default('text');
}

/** Names the database where no flag does. */
export const DATABASE_VARIABLE = 'SKILLMINT_DATABASE';

/** `--database`, the same for every command that works with sessions; it stands above the environment. */
export function databaseOption(): Option {
  return new Option('--database <url>', `keep sessions in this PostgreSQL database; ${DATABASE_VARIABLE} names it without showing the password to other processes`);
}

/** The one of `values` that `text` names. */
export function oneOf<T extends string>(text: string, values: readonly T[], flag: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new SkillmintError('usage', `${flag} does not take "${text}". Use one of: ${values.join(', ')}.`);
  return found;
}

/** Parser of points from 0 to 100, as a share. */
export function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 100)) throw new InvalidArgumentError(`"${text}" is no number from 0 to 100.`);
  return value / 100;
}
