import { findProgram } from '../../browser/find-program.ts';
import { isHeadless, runsWithoutOwnSandbox } from '../../browser/wishes.ts';
import type { Settings } from '../../config/settings.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { RuntimePlaces } from '../parts.ts';

/** What the browser tools would start, without starting it: in a sentence, and whether something is weaker than it could be. */
export function browserState({ browser }: Pick<Settings, 'browser'>, { host: { platform }, env, home }: Pick<RuntimePlaces, 'host' | 'env' | 'home'>): { readonly isWhole: boolean; readonly text: string } {
  try {
    const program = findProgram({ platform, env, home, executable: browser.executable });
    const window = isHeadless(browser, { platform, env }) ? 'without a window' : 'with a window';
    if (runsWithoutOwnSandbox()) return { isWhole: false, text: `${program}, ${window}; as root it works without Chromium's own sandbox, so run skillmint as another user for pages that you do not trust` };
    return { isWhole: true, text: `${program}, ${window}` };
  } catch (error) {
    if (error instanceof SkillmintError) return { isWhole: false, text: error.message };
    throw error;
  }
}
