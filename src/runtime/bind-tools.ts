import type { AgentTool } from '../agent/ports.ts';
import type { Host } from '../host/host.ts';
import type { Model } from '../model/model.ts';
import type { ToolSpec } from '../protocol/tool.ts';
import type { SessionState } from '../protocol/session-state.ts';
import type { BackgroundShells } from '../tools/background-shells.ts';
import type { SkillAccess, Tool } from '../tools/define.ts';
import { toolResolver } from '../tools/tool-set.ts';
import { createInputValidator, type InputValidator } from '../tools/validate-input.ts';
import { permit, type PermitParts } from './permit.ts';

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
  readonly model: Model;
  readonly permit: PermitParts;
}

/** The tools of a session as the loop sees them. */
export interface BoundTools {
  readonly specs: readonly ToolSpec[];
  find(name: string): AgentTool | undefined;
}

/** Binds host, session and permissions into tools. */
export function bindTools(parts: BindParts): BoundTools {
  const resolve = toolResolver(parts.tools);
  const validate = createInputValidator();
  const bound = new Map<Tool, AgentTool>();
  return {
    specs: parts.offered.map((tool) => tool.spec),
    find(name) {
      const tool = resolve(name);
      if (!tool) return undefined;
      const known = bound.get(tool) ?? bindTool(tool, parts, validate);
      bound.set(tool, known);
      return known;
    },
  };
}

function bindTool(tool: Tool, parts: BindParts, validate: InputValidator): AgentTool {
  const question = tool.question;
  return {
    spec: tool.spec,
    polling: tool.polling === true,
    readOnly: tool.readOnly,
    prepare: (input) => validate(tool, input),
    ...(question ? { question: (input) => question(input) } : {}),
    permit: (call) => permit(parts.permit, tool, call),
    run: (input, call) => tool.run(input, {
      callId: call.call_id,
      host: parts.host,
      cwd: parts.state.cwd,
      childEnv: parts.childEnv,
      signal: call.signal,
      emit: call.emit,
      fileStamps: parts.state.file_stamps,
      todos: parts.state.todos,
      shells: parts.shells,
      skills: parts.skills,
      accepts: { images: parts.model.info.images, documents: parts.model.info.documents },
    }),
  };
}
