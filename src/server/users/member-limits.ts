import { PermissionError, SkillmintError } from '../../protocol/errors.ts';
import type { PermissionMode } from '../../protocol/permission.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { InstallSource, SkillService } from '../../runtime/library/skill-service.ts';
import type { SettingsService } from '../../runtime/settings/settings-service.ts';
import type { Json } from '../../protocol/json.ts';
import { opensInside } from '../../permissions/command-grants.ts';
import { isLocalSource } from '../../runtime/library/local-install.ts';

/** Settings that members may change, apart from those in `BELOW`. All others name programs, addresses or folders, or limit them. */
const FREE = new Set(['model', 'smallModel', 'effort', 'systemPrompt', 'userPrompt', 'instructions', 'memory', 'permissions.ask', 'permissions.deny', 'permissions.mode', 'permissions.allow', 'skills.allowedTools', 'skills.generateTags', 'skills.offerMeta']);
const BELOW = ['skills.enabled.'];

/**
 * The runtime of a member, who decides nothing for the machine that the server runs on. Here is all that a member may not do,
 * beside the endpoints that are for administrators; what the sandbox and the confinement of the session hold is in the runtime.
 * `mayBeUnrestricted`: the administrator has said so.
 */
export function limitedRuntime(runtime: Runtime, { mayBeUnrestricted }: { readonly mayBeUnrestricted: boolean }): Runtime {
  const checkMode = (mode: PermissionMode | undefined): void => {
    if (mode === 'unrestricted' && !mayBeUnrestricted) throw new PermissionError('Only an administrator of this server may let a session do everything without a question. Take the mode acceptEdits.');
  };
  const sessions: Runtime['sessions'] = {
    ...runtime.sessions,
    async create(request) {
      checkMode(request.mode);
      if (request.skill !== undefined && /[/\\]|^[.~]/.test(request.skill)) throw new SkillmintError('skill_not_found', `There is no skill ${JSON.stringify(request.skill)}: name one that is installed.`);
      return runtime.sessions.create(request);
    },
  };
  return {
    ...runtime,
    sessions,
    async configure(sessionId, change) {
      checkMode(change.mode);
      return runtime.configure(sessionId, change);
    },
    settings: async (cwd) => limitedSettings(await runtime.settings(cwd), checkMode),
    library: async (cwd) => limitedSkills(await runtime.library(cwd)),
  };
}

function mayChange(key: string): boolean {
  return FREE.has(key) || key === 'skills.enabled' || BELOW.some((start) => key.startsWith(start));
}

function limitedSettings(service: SettingsService, checkMode: (mode: PermissionMode | undefined) => void): SettingsService {
  return {
    ...service,
    mayChange,
    async set(key, value) {
      if (!mayChange(key)) throw new PermissionError(`Only an administrator of this server may change the setting ${JSON.stringify(key)}. Members may change: ${[...FREE, 'skills.enabled'].join(', ')}.`);
      if (key === 'permissions.mode' && (value === 'unrestricted' || value === 'bypassPermissions')) checkMode('unrestricted');
      if (key === 'permissions.allow') refuseInward(value);
      return service.set(key, value);
    },
  };
}

/** A text would be read as JSON or as a list only when it is written, past this look at it. */
function refuseInward(value: Json | undefined): void {
  if (typeof value === 'string') throw new SkillmintError('invalid_argument', 'Send the rules of permissions.allow as a list of texts.');
  const rules: readonly unknown[] = Array.isArray(value) ? value : [];
  const inward = rules.find((rule) => typeof rule === 'string' && opensInside(rule.trim()));
  if (inward !== undefined) throw new PermissionError(`Only an administrator of this server may open its machine and its network: ${JSON.stringify(inward)}.`);
}

function limitedSkills(service: SkillService): SkillService {
  return {
    ...service,
    async install(from: InstallSource, wish) {
      if ('source' in from && isLocalSource(from.source)) throw new PermissionError('Only an administrator of this server may install from its disk. Send the skill as a .zip, .tgz or .skillpack file.');
      return service.install(from, wish);
    },
  };
}
