import type { AgentTool } from '../agent/ports.ts';
import type { Host } from '../host/host.ts';
import type { Model } from '../model/model.ts';
import { isObject, type JsonObject } from '../protocol/json.ts';
import type { PermissionNeed } from '../protocol/permission.ts';
import type { ToolOutcome, ToolSpec } from '../protocol/tool.ts';
import type { SessionState } from '../protocol/session-state.ts';
import type { BackgroundShells } from '../tools/background-shells.ts';
import type { SkillAccess, Tool } from '../tools/define.ts';
import { toolResolver } from '../tools/tool-set.ts';
import type { InputValidator } from '../tools/validate-input.ts';
import { innerCall } from '../tools/call-tool.ts';
import type { CommandOutcome, InjectedCommand } from '../skills/activate/injected-commands.ts';
import type { SkillView } from '../skills/skill-view.ts';
import { permit, type PermitParts } from './permit.ts';
import type { InjectedOptions } from './skills/run-injected.ts';
import { offerForPaths } from './skills/offer-skills.ts';

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
  /** Skills that are offered when files they are meant for are touched. */
  readonly view: SkillView | undefined;
  /** The model that is asked next; it takes what a result holds. */
  readonly model: () => Model;
  readonly permit: PermitParts;
  /** See `PermitParts.refusals`. */
  readonly refusals: Map<string, readonly string[]>;
}

/** The tools of a session as the loop sees them. */
export interface BoundTools {
  readonly specs: readonly ToolSpec[];
  find(name: string, input: JsonObject): AgentTool | undefined;
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
  const bound = (name: string): AgentTool | undefined => {
    const tool = resolve(name);
    if (!tool) return undefined;
    const agentTool = known.get(tool) ?? bindTool(tool, parts, validate);
    known.set(tool, agentTool);
    return agentTool;
  };
  return {
    specs: parts.offered.map((tool) => tool.spec),
    find(name, input) {
      const tool = bound(name);
      if (tool?.spec.name !== 'CallTool') return tool;
      const inner = innerCall(input);
      if (!inner) return tool;
      const meant = bound(inner.tool);
      if (!meant || meant === tool) return { ...tool, prepare: async () => ({ problem: `There is no tool named ${inner.tool}. Find one with FindTools.` }) };
      return { ...meant, wrap: (own) => ({ tool: inner.tool, input: own }), prepare: (given) => meant.prepare(innerCall(given)?.input ?? {}) };
    },
    async runInjected(command, options) {
      const { runInjected } = await import('./skills/run-injected.ts');
      return runInjected({ tool: resolve('Bash'), agentTool: bound('Bash'), permit: parts.permit, platform: parts.host.platform }, command, options);
    },
  };
}

/** Loaded with the first call, as the first request does without it. */
async function loadValidator(): Promise<InputValidator> {
  const { createInputValidator } = await import('../tools/validate-input.ts');
  return createInputValidator();
}

function bindTool(tool: Tool, parts: BindParts, validator: () => Promise<InputValidator>): AgentTool {
  const question = tool.question;
  return {
    spec: tool.spec,
    polling: tool.polling === true,
    readOnly: tool.readOnly,
    resumes: tool.resumes === true,
    prepare: async (input) => (await validator())(tool, input),
    ...(question ? { question: (input) => question(input) } : {}),
    permit: (call) => permit(parts.permit, tool, call),
    run: async (input, call) => {
      const { images, documents } = parts.model().info;
      const outcome = await tool.run(input, {
        callId: call.call_id,
        host: parts.host,
        cwd: parts.state.cwd,
        places: call.places,
        childEnv: parts.childEnv,
        signal: call.signal,
        emit: call.emit,
        fileStamps: parts.state.file_stamps,
        todos: parts.state.todos,
        shells: parts.shells,
        skills: parts.skills,
        accepts: { images, documents },
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
