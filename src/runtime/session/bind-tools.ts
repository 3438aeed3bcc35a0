import type { AgentTool } from '../../agent/ports.ts';
import type { Host } from '../../host/host.ts';
import type { Model } from '../../model/model.ts';
import type { SessionMcp } from '../mcp/session-mcp.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import { namesBrowserTool } from '../../protocol/tool-names.ts';
import type { PermissionNeed } from '../../protocol/permission.ts';
import type { ToolOutcome, ToolSpec } from '../../protocol/tool.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import type { BackgroundShells } from '../../tools/background-shells.ts';
import type { AgentAccess, BrowserAccess, MemoryAccess, SkillAccess, Tool, WebAccess } from '../../tools/define.ts';
import { toolResolver } from '../../tools/tool-set.ts';
import type { InputValidator } from '../../tools/validate-input.ts';
import { innerCall, type InnerCall } from '../../tools/call-tool.ts';
import type { CommandOutcome, InjectedCommand } from '../../skills/activate/injected-commands.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import { permit, type PermitParts } from '../permissions/permit.ts';
import type { InjectedOptions } from '../skills/run-injected.ts';
import { offerForPaths } from '../skills/offer-skills.ts';

/** What the tools of one session work with. */
export interface BindParts {
  readonly tools: readonly Tool[];
  /** Those of them that the model is told of. */
  readonly offered: readonly Tool[];
  readonly state: SessionState;
  /** Commands run through it; with the sandbox around it where there is one. */
  readonly host: Host;
  readonly childEnv: Readonly<Record<string, string>>;
  readonly shells: BackgroundShells;
  readonly skills: SkillAccess;
  readonly agents: AgentAccess;
  /** Undefined when there are no MCP servers. */
  readonly mcp: SessionMcp | undefined;
  readonly web: WebAccess;
  readonly memory: MemoryAccess;
  readonly browser: BrowserAccess;
  /** Tools that are loaded when one of their names is called: those of the browser. */
  readonly late: () => Promise<readonly Tool[]>;
  /** Skills that are offered when files they are meant for are touched. */
  readonly view: SkillView | undefined;
  /** The model that is asked next; it takes what a result holds. */
  readonly model: () => Model;
  readonly permit: PermitParts;
  /** See `PermitParts.refusals`. */
  readonly refusals: Map<string, readonly string[]>;
  readonly newRequestId: () => string;
  /** See `ToolContext`. */
  readonly keepBefore: (bytes: Uint8Array) => Promise<string | undefined>;
}

/** The tools of a session as the loop sees them. */
export interface BoundTools {
  readonly specs: readonly ToolSpec[];
  find(name: string, input: JsonObject): AgentTool | undefined | Promise<AgentTool | undefined>;
  /** Runs a command that a skill's instructions hold, without asking. */
  runInjected(command: InjectedCommand, options: InjectedOptions): Promise<CommandOutcome>;
}

/** Binds host, session and permissions into tools. */
export function bindTools(parts: BindParts): BoundTools {
  const resolve = toolResolver(parts.tools);
  let validator: Promise<InputValidator> | undefined;
  const validate = (): Promise<InputValidator> => {
    // A session that calls tools nearly always runs commands, too.
    if (!validator) parts.host.prepareCommands?.();
    return (validator ??= loadValidator());
  };
  const known = new Map<Tool, AgentTool>();
  const bound = (name: string): AgentTool | undefined => bindOnce(resolve(name));
  const elsewhere = async (name: string): Promise<Tool | undefined> => {
    if (isRemote(name)) return parts.mcp?.find(name.trim());
    return namesBrowserTool(name) ? toolResolver(await parts.late())(name) : undefined;
  };
  const anywhere = async (name: string): Promise<AgentTool | undefined> => bound(name) ?? bindOnce(await elsewhere(name));
  const bindOnce = (tool: Tool | undefined): AgentTool | undefined => {
    if (!tool) return undefined;
    const agentTool = known.get(tool) ?? bindTool(tool, parts, validate);
    known.set(tool, agentTool);
    return agentTool;
  };
  const innerTool = async (tool: AgentTool, inner: InnerCall): Promise<AgentTool> => {
    const meant = await anywhere(inner.tool);
    if (!meant || meant.spec.name === tool.spec.name) {
      const problems = isRemote(inner.tool) ? (await parts.mcp?.problems()) ?? [] : [];
      return { ...tool, prepare: async () => ({ problem: [`There is no tool named ${inner.tool}. Find one with FindTools.`, ...problems].join(' ') }) };
    }
    return { ...meant, wrap: (own) => ({ tool: inner.tool, input: own }), prepare: (given) => meant.prepare(innerCall(given)?.input ?? {}) };
  };
  return {
    specs: parts.offered.map((tool) => tool.spec),
    find(name, input) {
      const tool = bound(name);
      if (!tool && (isRemote(name) || namesBrowserTool(name))) return anywhere(name);
      const inner = tool?.spec.name === 'CallTool' ? innerCall(input) : undefined;
      return tool && inner ? innerTool(tool, inner) : tool;
    },
    async runInjected(command, options) {
      const { runInjected } = await import('../skills/run-injected.ts');
      return runInjected({ tool: resolve('Bash'), agentTool: bound('Bash'), permit: parts.permit, platform: parts.host.platform }, command, options);
    },
  };
}

function isRemote(name: string): boolean {
  return /^mcp__/i.test(name.trim());
}

/** Loaded with the first call, as the first request does without it. */
async function loadValidator(): Promise<InputValidator> {
  const { createInputValidator } = await import('../../tools/validate-input.ts');
  return createInputValidator();
}

function bindTool(tool: Tool, parts: BindParts, validator: () => Promise<InputValidator>): AgentTool {
  const { question, refusal } = tool;
  return {
    spec: tool.spec,
    polling: tool.polling === true,
    readOnly: tool.readOnly,
    atMostOnce: tool.atMostOnce ?? !tool.readOnly,
    resumes: tool.resumes === true,
    prepare: async (input) => (await validator())(tool, input),
    ...(question ? { question: (input) => question(input) } : {}),
    ...(refusal ? { refusal: (feedback) => refusal(feedback) } : {}),
    permit: (call) => permit(parts.permit, tool, call),
    run: async (input, call) => {
      const { images, documents } = parts.model().info;
      const outcome = await tool.run(input, {
        callId: call.call_id,
        newRequestId: parts.newRequestId,
        host: parts.host,
        cwd: parts.state.cwd,
        places: call.places,
        childEnv: parts.childEnv,
        signal: call.signal,
        keepBefore: parts.keepBefore,
        emit: call.emit,
        fileStamps: parts.state.file_stamps,
        todos: parts.state.todos,
        shells: parts.shells,
        skills: parts.skills,
        agents: parts.agents,
        web: parts.web,
        memory: parts.memory,
        browser: parts.browser,
        accepts: { images, documents },
        consent: call.consent,
        modeBeforePlan: parts.state.mode_before_plan,
        ...(call.answered ? { answered: call.answered } : {}),
        ...(call.by ? { by: call.by } : {}),
      });
      if (outcome.status === 'waiting') return outcome;
      noteRefusals(parts, tool.needs(input, parts.state), outcome);
      return withPathOffer(parts, outcome);
    },
  };
}

/** What a sandbox refused to a command, for the question before its next run; an end without refusals clears it. */
function noteRefusals({ refusals }: BindParts, needs: readonly PermissionNeed[], { details }: ToolOutcome): void {
  const hosts = details?.['refused_hosts'];
  for (const need of needs) {
    if (need.action !== 'command') continue;
    if (Array.isArray(hosts)) refusals.set(need.command, hosts.filter((host) => typeof host === 'string'));
    else refusals.delete(need.command);
  }
}

/** Skills for the files that a call touched are offered after it. */
async function withPathOffer({ view, state }: BindParts, outcome: ToolOutcome): Promise<ToolOutcome> {
  const stamps = outcome.details?.['stamps'];
  if (!view || state.bound || !isObject(stamps)) return outcome;
  const offer = await offerForPaths(view, Object.keys(stamps), state);
  return offer ? { ...outcome, events: [...(outcome.events ?? []), offer] } : outcome;
}
