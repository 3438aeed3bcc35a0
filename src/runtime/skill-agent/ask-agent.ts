import { anchorRule } from '../../permissions/rules.ts';
import type { EventBody, Restrictions } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { PermissionMode } from '../../protocol/permission.ts';
import type { SessionState } from '../../protocol/session-state.ts';
import { tellingArgument } from '../../protocol/telling-argument.ts';
import type { PromptRequest, RunningTurn, TurnResult } from '../runtime.ts';
import { chooseModel } from '../turn/choose-model.ts';
import type { StandingAgent } from '../turn/standing-agent.ts';
import type { TurnParts } from '../turn/turn-parts.ts';
import { promptExisting, promptNew } from '../turn/turns.ts';
import { agentInstructions } from './agent-instructions.ts';
import type { OperationParts } from './operation.ts';

/** Under this name the session of the agent is found, and shown in listings. */
export const SKILL_AGENT = 'skill-agent';

/** What starts its turns. */
export interface AgentTurns extends TurnParts {
  /** Its turns end with the runtime. */
  readonly track: (turn: RunningTurn) => RunningTurn;
}

/** How the agent is asked. */
export interface AgentAsk {
  readonly mode: PermissionMode;
  readonly model: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly progress: (line: string) => void;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** What the caller leaves it. */
  readonly restrictions: Restrictions;
  /** JSON Schema of the answer. */
  readonly answer: JsonObject;
  readonly maxSteps: number;
}

/**
 * Runs one turn of the agent's session for the folder: that of earlier calls, or a new one where there is none, or where its
 * handbook is another by now. Resolves to how the turn ended; nothing of it is shown but a line for each call of a tool.
 */
export async function askAgent(turns: AgentTurns, given: OperationParts, ask: AgentAsk & { readonly text: string; readonly maxCostUsd: number }): Promise<TurnResult> {
  const turn = turns.track(await beginTurn(turns, given, ask));
  const stop = (): void => turn.cancel();
  ask.signal?.addEventListener('abort', stop, { once: true });
  if (ask.signal?.aborted) stop();
  try {
    for await (const event of turn.events) {
      if (event.type === 'tool.requested') ask.progress(`${event.tool} ${tellingArgument(event.input).replace(given.drafts, 'drafts')}`);
    }
    return await turn.result;
  } finally {
    ask.signal?.removeEventListener('abort', stop);
  }
}

async function beginTurn(turns: AgentTurns, given: OperationParts, ask: AgentAsk & { readonly text: string; readonly maxCostUsd: number }): Promise<RunningTurn> {
  const { parts, cwd, drafts } = given;
  const { text: instructions, folders } = await agentInstructions(given);
  const request: PromptRequest = {
    text: ask.text, cwd, mode: ask.mode,
    // The agent of yesterday goes on with the model of today.
    model: (await chooseModel(parts, cwd, ask.model)).name,
    skills: 'find', outputSchema: ask.answer, maxSteps: ask.maxSteps, maxCostUsd: ask.maxCostUsd,
    allow: [...ask.allow, ...folders.map((folder) => anchorRule('Read(/**)', folder))],
    deny: ask.deny,
  };
  const sessionId = await knownSession(turns, cwd, instructions);
  if (sessionId !== undefined) return promptExisting(turns, { ...request, sessionId }, (state) => adopted(state, ask.restrictions));
  const standing: StandingAgent = { task: SKILL_AGENT, agent: { type: SKILL_AGENT, depth: 1, instructions, allowed_tools: [toolsWithin(drafts)] }, restrictions: ask.restrictions };
  return promptNew(turns, { ...request, addDirs: [drafts] }, standing);
}

/** It reads, looks for skills and pages, and writes drafts. There is nothing with which it could run anything, load a skill or start an agent. */
function toolsWithin(drafts: string): readonly string[] {
  return ['Read', 'Glob', 'Grep', 'LS', 'TodoWrite', 'WebFetch', 'WebSearch', anchorRule('Write(/**)', drafts), anchorRule('Edit(/**)', drafts)];
}

async function knownSession({ parts, binder }: TurnParts, cwd: string, instructions: string): Promise<string | undefined> {
  const [latest] = await parts.store.list({ task: SKILL_AGENT, cwd, limit: 1 });
  if (!latest) return undefined;
  const { agent } = await binder.state(latest.session_id);
  return agent?.type === SKILL_AGENT && agent.instructions === instructions ? latest.session_id : undefined;
}

function adopted({ restrictions: now }: SessionState, restrictions: Restrictions): readonly EventBody[] {
  return JSON.stringify(now) === JSON.stringify(restrictions) ? [] : [{ type: 'restrictions.changed', restrictions }];
}
