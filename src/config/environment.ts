import { SkillmintError } from '../protocol/errors.ts';
import { mostSimilar } from '../util/similar.ts';
import { findProblem, isSettingsFile } from './check-settings.ts';
import type { SettingsFile } from './settings.ts';
import { parseText, putValue } from './setting-text.ts';

/** Settings that the environment can make. */
export const SETTING_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  SKILLMINT_MODEL: ['model'],
  SKILLMINT_SMALL_MODEL: ['smallModel'],
  SKILLMINT_EFFORT: ['effort'],
  SKILLMINT_PERMISSION_MODE: ['permissions', 'mode'],
  SKILLMINT_SANDBOX: ['sandbox'],
  SKILLMINT_MAX_COST: ['maxCost'],
  SKILLMINT_MAX_TURNS: ['maxTurns'],
  SKILLMINT_BROWSER_HEADLESS: ['browser', 'headless'],
  SKILLMINT_NETWORK_ALLOW: ['network', 'allow'],
};

const PREFIX = 'SKILLMINT_';

/** Further variables that mean something, read elsewhere. */
const OTHER_VARIABLES = ['SKILLMINT_HOME', 'SKILLMINT_DATABASE', 'SKILLMINT_SKILLS_PATH', 'SKILLMINT_TOKEN'];

/** The layer of the environment, and a notice for each variable that looks misspelt. Throws `config_invalid`. */
export function environmentSettings(env: Readonly<Record<string, string | undefined>>): { readonly settings: SettingsFile; readonly notices: readonly string[] } {
  const known = [...Object.keys(SETTING_VARIABLES), ...OTHER_VARIABLES];
  const ours = Object.keys(env).filter((name) => name.startsWith(PREFIX) && env[name] !== undefined && env[name] !== '');
  const notices = ours.flatMap((name) => {
    if (known.includes(name)) return [];
    const [near] = mostSimilar(name.slice(PREFIX.length), known.map((one) => one.slice(PREFIX.length)), 1);
    return near === undefined ? [] : [`the environment variable ${name} has no meaning; did you mean ${PREFIX}${near}?`];
  });
  const set = ours.filter((name) => Object.hasOwn(SETTING_VARIABLES, name));
  let settings: SettingsFile = {};
  for (const name of set) {
    const path = SETTING_VARIABLES[name] ?? [];
    const next = putValue(settings, path, parseText(path, env[name] ?? ''));
    if (!isSettingsFile(next)) throw new SkillmintError('config_invalid', `the environment variable ${name} is wrong: ${findProblem(next)?.says ?? 'it does not fit'}; correct or unset it`);
    settings = next;
  }
  return { settings, notices };
}
