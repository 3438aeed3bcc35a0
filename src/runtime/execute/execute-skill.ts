import path from 'node:path';
import { realOrSame } from '../../config/read-settings.ts';
import { loadSettings, type LoadedSettings } from '../../config/load-settings.ts';
import type { CommandGrants } from '../../permissions/command-grants.ts';
import type { SandboxState } from '../../protocol/events.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { findScript } from '../../skills/execute/find-script.ts';
import { interpreterOf } from '../../skills/execute/interpreter.ts';
import { packageRoot } from '../package-root.ts';
import { findPlaces, type RuntimeOptions, type RuntimePlaces } from '../parts.ts';
import { sandboxGuard, type SandboxGuard } from '../permissions/sandbox-guard.ts';
import type { GivenSkills } from '../embed/given-skill.ts';
import type { ExecutionRecord } from '../../protocol/execution.ts';
import { copyAgreed } from './agreed-copy.ts';
import { notRun, runScript } from './run-script.ts';
import { chooseForScript } from './script-sandbox.ts';
import { scriptSkill } from './script-skill.ts';
import { openScriptWorkspace, scriptEnvironment } from './script-workspace.ts';

const USUAL_TIMEOUT_MS = 60_000;
const LONGEST_TIMEOUT_MS = 3_600_000;

/** How a script is run. */
export interface ExecuteOptions extends Pick<RuntimeOptions, 'env' | 'home' | 'dataFolder' | 'settings' | 'host' | 'tenant'> {
  /** Folder whose skills and settings count; the process's own when left out. */
  readonly cwd?: string;
  /** Path of the script, relative to the skill's folder; looked for when left out. */
  readonly script?: string;
  /** What the script reads on standard input; it is empty when left out. */
  readonly stdin?: string | Uint8Array;
  /** 60,000 unless told, at most 3,600,000. */
  readonly timeoutMs?: number;
  /** The setting when left out, and `required` where there is none. */
  readonly sandbox?: 'required' | 'ask' | 'off';
  /** Digest of the skill's whole content that was agreed to: a copy that has it is run. Left out: the skill runs where it lies. */
  readonly agreed?: string;
  /** Skills that the runtime was given. */
  readonly given?: GivenSkills | undefined;
  /** Ends the script, and everything that it started. */
  readonly signal?: AbortSignal;
  /** Is given the output as it comes, up to its limit. */
  readonly onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void;
  /** Is told what a person should know: that commands are not isolated. */
  readonly onNotice?: (sentence: string) => void;
  /** Asks the person whether a script may run without a sandbox, where the setting is `ask`. */
  readonly consent?: (question: string) => Promise<boolean>;
}

/** How a script ran, and in which sandbox. */
export interface SkillExecution extends ExecutionRecord {
  /** Left out where the script was not started. */
  readonly sandbox?: SandboxState;
}

/**
 * Runs a script of a skill: in the sandbox, without network, in a temporary folder with a temporary home, the skill's own folder
 * read-only. Resolves to the record also when the script fails, cannot be started (`error.code` is `spawn_failed`) or meets its
 * limit of time or output. Rejects, when nothing was run, with SkillNotFoundError, PermissionError, or a SkillmintError with
 * `script_not_found`, `sandbox_unavailable`, `not_trusted` (another content was agreed to), `invalid_argument`, `config_invalid`, `config_unreadable`, `io`.
 */
export async function executeSkill(name: string, args: readonly string[] = [], options: ExecuteOptions = {}): Promise<SkillExecution> {
  const timeoutMs = options.timeoutMs ?? USUAL_TIMEOUT_MS;
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) throw new SkillmintError('invalid_argument', `A script may run longer than 0 s and at most ${LONGEST_TIMEOUT_MS / 1_000} s.`);
  if (args.some((arg) => arg.includes('\0'))) throw new SkillmintError('invalid_argument', 'An argument of the script holds a NUL character: give it without.');
  const places = findPlaces(options);
  const { host, env, home, dataFolder } = places;
  const cwd = path.resolve(options.cwd ?? '.');
  const settings = await loadSettings({ tree: host.tree, env, home, data: dataFolder, cwd, ...(options.tenant ? { server: options.tenant.settings } : {}), ...(options.settings ? { flags: options.settings } : {}) });
  const guard = sandboxGuard({ home, dataFolder, platform: host.platform });
  // The trial takes as long as all that has to be known before a script can start.
  const early = options.sandbox === 'off' ? undefined : guard.report();
  try {
    const library = { ...places, given: options.given, tree: host.tree, bundledFolder: path.join(packageRoot(), 'skills'), settings, now: host.clock.now };
    const skill = await scriptSkill(name, cwd, library, { files: host.files });
    return await executeFound({ skill, args, options, timeoutMs, places, cwd, settings, guard });
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'spawn_failed') return notRun(error);
    throw error;
  } finally {
    await early;
    await guard.close();
  }
}

const NO_GRANTS: CommandGrants = { hosts: [], refused: [], variables: [] };

/** A script with what runs it. */
interface ReadyScript {
  /** Of the skill, real. */
  readonly folder: string;
  readonly name: string;
  readonly argv: readonly string[];
  /** Where its interpreter lies, if that has to be shown to the sandbox. */
  readonly interpreterFolder: string | undefined;
}

interface Found {
  readonly skill: SkillEntry;
  readonly args: readonly string[];
  readonly options: ExecuteOptions;
  readonly timeoutMs: number;
  readonly places: RuntimePlaces;
  readonly cwd: string;
  readonly settings: LoadedSettings;
  readonly guard: SandboxGuard;
}

async function executeFound({ skill, args, options, timeoutMs, places, cwd, settings, guard }: Found): Promise<SkillExecution> {
  const { host, env, home, dataFolder } = places;
  const { stdin, onOutput, agreed } = options;
  const configured = settings.values.skills.interpreters;
  const ready = async (folder: string): Promise<ReadyScript> => {
    const script = await findScript(folder, options.script, { tree: host.tree, files: host.files, configured });
    const interpreter = interpreterOf(script, { platform: host.platform, env, configured, execPath: process.execPath });
    return { folder, name: script.name, interpreterFolder: interpreter.folder, argv: [...interpreter.argv, script.file, ...args] };
  };
  const original = await ready(host.tree.realPath(skill.folder));
  // Reading rules and commands takes a parser.
  const hasRules = settings.layers.some(({ settings: { permissions } }) => permissions?.deny ?? permissions?.ask ?? permissions?.allow);
  const grants = hasRules ? await (await import('./script-permission.ts')).scriptRights({ settings, tree: host.tree, files: host.files, home, cwd, skill, argv: original.argv }) : NO_GRANTS;
  const choice = await chooseForScript({ guard, places, settings, skill, cwd, wanted: options.sandbox, consent: options.consent });
  if (!choice.wraps && choice.notice !== undefined) options.onNotice?.(choice.notice);
  const space = await openScriptWorkspace(host, dataFolder, (sentence) => options.onNotice?.(sentence));
  try {
    const { folder, name, argv, interpreterFolder } = agreed === undefined ? original : await ready(copyAgreed(host.tree, { ...skill, digest: agreed }, space.skill));
    const folders = { writable: [space.work, space.home], readable: [folder, ...(interpreterFolder === undefined ? [] : [interpreterFolder])], temporary: space.temporary };
    const wrapped = guard.wrapScript({ host, choice, folders, limits: settings.values.sandboxLimits, grants, allow: settings.values.network.allow, parts: { env, home: realOrSame(host.tree, home), dataFolder: realOrSame(host.tree, dataFolder), workFolder: dataFolder, tenant: options.tenant } });
    const record = await runScript(wrapped, {
      name, argv, cwd: space.work, timeoutMs,
      env: scriptEnvironment({ platform: host.platform, env, granted: grants.variables }, space, folder),
      signal: options.signal ?? new AbortController().signal,
      ...(stdin === undefined ? {} : { stdin }),
      ...(onOutput ? { onOutput } : {}),
    });
    return { ...record, sandbox: choice.state };
  } finally {
    await space.close();
  }
}
