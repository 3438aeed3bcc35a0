import type { PermissionMode } from '../protocol/permission.ts';
import { plainMode, plainSandbox, sandboxMode } from './layers.ts';
import type { PermissionSettings, SandboxMode, Settings, SettingsFile, SkillSettings } from './settings.ts';

/** From strict to lenient. */
const MODES: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'unrestricted'];
const SANDBOX = ['required', 'ask', 'off'] as const;

/** What an untrusted folder may say, and which of its keys did not count. */
export interface Narrowed {
  readonly settings: SettingsFile;
  readonly refused: readonly string[];
}

function narrowPermissions(wanted: PermissionSettings, now: Settings): PermissionSettings {
  const { mode, ask, deny } = wanted;
  const stricter = mode !== undefined && MODES.indexOf(plainMode(mode)) <= MODES.indexOf(now.permissions.mode);
  return { ...(stricter && { mode }), ...(ask && { ask }), ...(deny && { deny }) };
}

function narrowSkills(wanted: SkillSettings): SkillSettings {
  const off = Object.entries(wanted.enabled ?? {}).filter(([, enabled]) => !enabled);
  return {
    ...(off.length > 0 && { enabled: Object.fromEntries(off) }),
    ...(wanted.allowedTools === 'restrict' && { allowedTools: wanted.allowedTools }),
    ...(wanted.npm === false && { npm: false }),
    ...(wanted.generateTags === false && { generateTags: false }),
    ...(wanted.offerMeta === false && { offerMeta: false }),
  };
}

/** Without a setting of the person's own, the face decides between `required` and `ask`: only `required` is surely not wider. */
function stricterMode(wanted: SandboxMode | undefined, now: Settings['sandbox']): boolean {
  return wanted !== undefined && SANDBOX.indexOf(plainSandbox(wanted)) <= (now === undefined ? 0 : SANDBOX.indexOf(now));
}

function narrowSandbox(wanted: NonNullable<SettingsFile['sandbox']>, now: Settings): SettingsFile['sandbox'] {
  const mode = sandboxMode(wanted);
  const stricter = stricterMode(mode, now.sandbox);
  if (typeof wanted === 'string') return stricter ? wanted : undefined;
  const { memoryMb, processes } = wanted.limits ?? {};
  const limits = {
    ...(atMost(memoryMb, now.sandboxLimits.memoryMb) && memoryMb !== undefined && { memoryMb }),
    ...(atMost(processes, now.sandboxLimits.processes) && processes !== undefined && { processes }),
  };
  return { ...(stricter && mode !== undefined && { mode }), ...(wanted.limits && { limits }) };
}

function narrowAgents({ maxDepth, parallel }: NonNullable<SettingsFile['agents']>, now: Settings['agents']): NonNullable<SettingsFile['agents']> {
  return { ...(maxDepth !== undefined && atMost(maxDepth, now.maxDepth) && { maxDepth }), ...(parallel !== undefined && atMost(parallel, now.parallel) && { parallel }) };
}

function atMost(wanted: number | undefined, now: number | undefined): boolean {
  return wanted !== undefined && (now === undefined || wanted <= now);
}

/** Keys of `wanted` that `kept` lacks, as people write them. */
function missing(wanted: object, kept: object, prefix = ''): readonly string[] {
  return Object.entries(wanted).flatMap(([key, value]: [string, unknown]) => {
    const counterpart: unknown = Reflect.get(kept, key);
    const name = `${prefix}${key}`;
    const nested = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (nested && typeof counterpart === 'object' && counterpart !== null) return missing(value, counterpart, `${name}.`);
    return counterpart === undefined ? [name] : [];
  });
}

/** Keeps of an untrusted folder's settings what only takes rights away from `now`, which all weaker layers make up. */
export function narrow(wanted: SettingsFile, now: Settings): Narrowed {
  const permissions = wanted.permissions && narrowPermissions(wanted.permissions, now);
  const skills = wanted.skills && narrowSkills(wanted.skills);
  const sandbox = wanted.sandbox === undefined ? undefined : narrowSandbox(wanted.sandbox, now);
  const settings: SettingsFile = {
    ...(wanted.$schema !== undefined && { $schema: wanted.$schema }),
    ...(permissions && { permissions }),
    ...(sandbox !== undefined && { sandbox }),
    ...(skills && { skills }),
    ...(wanted.instructions === false && { instructions: false }),
    ...(wanted.memory === false && { memory: false }),
    ...(atMost(wanted.maxCost, now.maxCost) && wanted.maxCost !== undefined && { maxCost: wanted.maxCost }),
    ...(atMost(wanted.maxTurns, now.maxTurns) && wanted.maxTurns !== undefined && { maxTurns: wanted.maxTurns }),
    ...(wanted.agents && { agents: narrowAgents(wanted.agents, now.agents) }),
  };
  return { settings, refused: missing(wanted, settings) };
}
