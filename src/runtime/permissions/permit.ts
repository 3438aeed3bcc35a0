import type { DecisionRequest } from '../../permissions/decide.ts';
import type { LocatedPath, Workspace } from '../../permissions/places.ts';
import type { Restriction } from '../../permissions/restrict.ts';
import { networkRuleFor, notDecided } from '../../permissions/command-grants.ts';
import { parseRule } from '../../permissions/rule.ts';
import type { ParsedRules } from '../../permissions/rules.ts';
import { locate } from '../../host/paths.ts';
import type { HostFiles } from '../../host/host.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { HookApproval, PermissionMode, PermissionNeed, PermissionVerdict } from '../../protocol/permission.ts';
import { WORKTREES_FOLDER } from '../../protocol/protected-paths.ts';
import type { SkillVerdict } from '../../protocol/events.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { Tool } from '../../tools/define.ts';
import type { AgentProfile } from '../agents/agent-profile.ts';
import { skillVerdict } from '../agents/skill-permissions.ts';

/** The same call with the same result so many times in a row asks before it goes on. Reading again harms nothing, and the steps of a turn are limited. */
const REPEATS_BEFORE_ASKING = 4;

/** As which command rules, modes and the sandbox decide on the worktree of an agent. */
const MAKES_WORKTREE = `git worktree add ${WORKTREES_FOLDER.join('/')}/TASK`;

/** What decides the calls of one session. */
export interface PermitParts {
  readonly state: SessionState;
  readonly files: HostFiles;
  /** Rules of settings, flags, the folder's stored answers, this session's and its skills'; see `sessionRules`. */
  readonly rules: (by?: 'person') => ParsedRules;
  readonly workspace: () => Workspace;
  readonly restriction?: Restriction | undefined;
  /** The skill that a name leads to. */
  readonly skillNamed: (name: string) => Promise<{ readonly id: string; readonly name: string } | undefined>;
  /** The agent that a name leads to. */
  readonly agentNamed: (name: string) => Promise<Pick<AgentProfile, 'name' | 'isolated'>>;
  /** True where commands would run without a sandbox and a person has to say so first. */
  readonly asksForSandbox: boolean;
  /** Hosts that a sandbox kept a command from when it ran last, by its text. */
  readonly refusals: ReadonlyMap<string, readonly string[]>;
  /** Address of the page in the browser that a call is decided for; see `SessionBrowser`. */
  readonly pageFor?: (callId: string) => string | undefined;
}

/** A call that is to be decided. */
export interface PermitCall {
  readonly call_id?: string;
  readonly input: JsonObject;
  /** How often the same call had the same result right before. */
  readonly repeats: number;
  readonly approval?: HookApproval | undefined;
  /** Set when the person made the call. */
  readonly by?: 'person' | undefined;
}

/** What is found out of a call's needs once for all that look at them. */
interface Located {
  readonly needs: readonly PermissionNeed[];
  readonly located: readonly LocatedPath[];
  readonly readText: TextReader | undefined;
}

type TextReader = DecisionRequest['readText'];

/** Decides whether a call may run, and for files where they lie now. */
export async function permit(parts: PermitParts, tool: Tool, call: PermitCall): Promise<PermissionVerdict> {
  const named = await Promise.all(tool.needs(call.input, { cwd: parts.state.cwd, page: () => (call.call_id === undefined ? undefined : parts.pageFor?.(call.call_id)) }).map((need) => withNames(parts, need)));
  const needs = named.flatMap((need) => (need.action === 'task' && need.isolated ? [need, { action: 'command', command: MAKES_WORKTREE, cwd: parts.state.cwd } as const] : [need]));
  const readText = needs.some((need) => need.action === 'command') ? await textReader() : undefined;
  const located = await locateAll(parts.files, needs, readText);
  const verdict = await judge(parts, tool, { ...call, needs, located, readText });
  const files = new Set(needs.flatMap((need) => (need.action === 'read' || need.action === 'edit' ? [need.path] : [])));
  const places = located.filter(({ path }) => files.has(path));
  return verdict.verdict === 'deny' || places.length === 0 ? verdict : { ...verdict, places };
}

/** Rules and mode first, then what the sandbox and repetition call for. */
async function judge(parts: PermitParts, tool: Tool, { repeats, approval, by, needs, located, readText }: PermitCall & Located): Promise<PermissionVerdict> {
  const mode = parts.state.permission_mode;
  const isPlanStep = needs.some((need) => need.action === 'plan');
  if (isPlanStep && parts.state.parent_run) return { verdict: 'deny', reason: 'a sub-agent works in the mode of the session that started it, and cannot change it' };
  const { decide } = await import('../../permissions/decide.ts');
  const verdict = decide({
    call: { tool: tool.spec.name, needs, readOnly: tool.readOnly },
    mode,
    rules: parts.rules(by),
    workspace: parts.workspace(),
    locate: located,
    ...(readText ? { readText } : {}),
    // What a skill leaves of the tools is meant for the model.
    ...(parts.restriction && by === undefined ? { restriction: parts.restriction } : {}),
    approval,
  });
  if (verdict.verdict === 'deny') return verdict;
  const ofAgent = skillsOfAgent(parts.state, needs);
  if (ofAgent === 'deny') return { verdict: 'deny', reason: 'the file of this sub-agent denies the skill' };
  // No mode gives consent to commands without a sandbox; repetition is a question like others.
  const unsandboxed = parts.asksForSandbox && !parts.state.unsandboxed_allowed && needs.some((need) => need.action === 'command');
  const wanted = asksForNetwork(mode) ? networkRules(parts, needs) : [];
  const reasons = [
    ...(ofAgent === 'ask' ? ['the file of this sub-agent wants a question for the skill'] : []),
    ...(verdict.verdict === 'ask' ? [needs.some((need) => need.action === 'task' && need.isolated) ? `${verdict.reason} to make a worktree of its own for the agent` : verdict.reason] : []),
    ...(unsandboxed ? ['there is no sandbox on this machine, so the command would run with your rights (not isolated)'] : []),
    ...(wanted.length > 0 ? [`the sandbox kept this command from the network; "always" gives ${wanted.join(' and ')} to all commands in this folder`] : []),
    ...(mode !== 'unrestricted' && isLoop(repeats) && needs.some(({ action }) => action !== 'read') ? [`the same call gave the same result ${repeats} times in a row`] : []),
  ];
  if (reasons.length === 0) return verdict;
  const reason = reasons.join('; ');
  if (mode === 'dontAsk') return { verdict: 'deny', reason: `${reason}; the mode dontAsk denies what would ask` };
  return { verdict: 'ask', reason, rules: [...(verdict.verdict === 'ask' ? verdict.rules : []), ...wanted], ...(unsandboxed ? { unsandboxed } : {}), ...(isPlanStep && mode === 'plan' && parts.state.mode_before_plan === 'default' ? { mode: 'acceptEdits' } : {}) };
}

function skillsOfAgent({ agent }: SessionState, needs: readonly PermissionNeed[]): SkillVerdict {
  const verdicts = needs.flatMap((need) => (need.action === 'skill' ? [skillVerdict(agent?.skill_permissions, [need.skill, ...(need.id === undefined ? [] : [need.id])])] : []));
  return verdicts.find((verdict) => verdict !== 'allow') ?? 'allow';
}

function asksForNetwork(mode: PermissionMode): boolean {
  return mode === 'default' || mode === 'acceptEdits';
}

/** A command that was kept from the network asks for it when it comes again: the rule is the person's to give. */
function networkRules({ refusals, rules }: PermitParts, needs: readonly PermissionNeed[]): readonly string[] {
  const hosts = needs.flatMap((need) => (need.action === 'command' ? refusals.get(need.command) ?? [] : []));
  return hosts.length === 0 ? [] : notDecided(hosts, rules()).map(networkRuleFor).filter((rule) => 'rule' in parseRule(rule, { purpose: 'grant' }));
}

/** Rules hold for a skill or an agent however a call spells its name. */
async function withNames({ skillNamed, agentNamed }: PermitParts, need: PermissionNeed): Promise<PermissionNeed> {
  if (need.action === 'task') {
    const { name, isolated } = await agentNamed(need.agent);
    return { action: 'task', agent: name, ...(need.isolated || isolated ? { isolated: true } : {}) };
  }
  const skill = need.action === 'skill' ? await skillNamed(need.skill) : undefined;
  return need.action === 'skill' && skill ? { action: 'skill', skill: skill.name, id: skill.id, typed: need.skill } : need;
}

function isLoop(repeats: number): boolean {
  return repeats >= REPEATS_BEFORE_ASKING && (repeats + 1) % (REPEATS_BEFORE_ASKING + 1) === 0;
}

/** Reading shell texts takes a parser, which the first request does without. */
async function textReader(): Promise<TextReader> {
  const { shellReader } = await import('../../permissions/shell/read-shell.ts');
  return shellReader();
}

/** Where the paths of a call really lie. One that cannot be resolved is left out, and then counts as outside. */
export async function locateAll(files: HostFiles, needs: readonly PermissionNeed[], readText?: TextReader): Promise<readonly LocatedPath[]> {
  const paths = new Set((await Promise.all(needs.map((need) => pathsOf(need, readText)))).flat());
  return (await Promise.all([...paths].map((path) => located(files, path)))).flat();
}

async function pathsOf(need: PermissionNeed, readText: TextReader): Promise<readonly string[]> {
  if (need.action === 'read' || need.action === 'edit') return [need.path];
  if (need.action !== 'command' || need.cwd === undefined) return [];
  const { commandFacts } = await import('../../permissions/command-facts.ts');
  return [need.cwd, ...commandFacts(need, need.cwd, readText).files.flatMap(({ path }) => path ?? [])];
}

async function located(files: HostFiles, path: string): Promise<readonly LocatedPath[]> {
  try {
    return [{ path, real: (await locate(files, path)).realPath }];
  } catch (error) {
    if (error instanceof SkillmintError && error.code === 'path_refused') return [];
    throw error;
  }
}
