import type { LoadedSettings } from '../../config/load-settings.ts';
import { PermissionError, SkillmintError } from '../../protocol/errors.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { digestSkill } from '../../skills/digest.ts';
import { openTrust } from '../../skills/trust/trust-store.ts';
import type { RuntimePlaces } from '../parts.ts';
import type { SandboxChoice, SandboxGuard } from '../permissions/sandbox-guard.ts';

/** What the choice depends on. */
export interface ScriptSandboxRequest {
  readonly guard: SandboxGuard;
  readonly places: RuntimePlaces;
  readonly settings: LoadedSettings;
  readonly skill: SkillEntry;
  readonly cwd: string;
  /** What the call itself says. */
  readonly wanted?: 'required' | 'ask' | 'off' | undefined;
  /** Asks the person; undefined where there is nobody to ask. */
  readonly consent?: ((question: string) => Promise<boolean>) | undefined;
}

/**
 * Settles how a script runs. Without a sandbox it runs only when the call, the settings or the person says so. A setting
 * `off` is meant for one's own commands: a script of a skill that is not trusted gets the sandbox all the same where there is
 * one. Rejects with `sandbox_unavailable`, and `permission_denied` after a no.
 */
export async function chooseForScript(request: ScriptSandboxRequest): Promise<SandboxChoice> {
  const { guard, settings, wanted, consent } = request;
  const setting = wanted ?? settings.values.sandbox ?? (consent ? 'ask' : 'required');
  if (setting === 'off' && wanted === undefined && !isTrusted(request) && (await guard.report()).state !== 'not isolated') return guard.choose('required');
  const choice = await guard.choose(setting);
  if (!choice.asks) return choice;
  const why = choice.notice ?? 'There is no sandbox on this machine';
  if (!consent) throw new SkillmintError('sandbox_unavailable', `Nobody can be asked whether the script may run without a sandbox, so it does not run. ${why}`);
  const stranger = isTrusted(request) ? '' : ' You have not said that you trust this skill.';
  if (!(await consent(`${why}.${stranger} Run the script of ${request.skill.name} with your rights all the same?`))) throw new PermissionError('The script was not run.');
  return choice;
}

function isTrusted({ places, skill, cwd }: ScriptSandboxRequest): boolean {
  const { tree } = places.host;
  return openTrust({ tree, dataFolder: places.dataFolder }).of(skill, digestSkill(tree, skill.folder).digest, [cwd]).trusted;
}
