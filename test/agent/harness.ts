import type { AgentPorts, AgentTool, TurnLimits } from '../../src/agent/ports.ts';
import { runTurn } from '../../src/agent/loop.ts';
import type { Model, ModelEvent, ModelFailure, ModelReply, ModelRequest, StopReason } from '../../src/model/model.ts';
import type { AssistantPart, ToolCallPart } from '../../src/protocol/content.ts';
import type { EventBody, StoredEvent, TransientBody } from '../../src/protocol/events.ts';
import { applyEvent } from '../../src/protocol/fold.ts';
import { emptySessionState, type SessionState } from '../../src/protocol/session-state.ts';
import { ok, type ToolOutcome } from '../../src/protocol/tool.ts';

/** What the scripted model answers to one request: a reply, a failure, or raw stream events. */
export type Script = ModelReply | ModelFailure | readonly ModelEvent[] | ((request: ModelRequest) => ModelReply | ModelFailure);

const usage = (input: number) => ({ input, output: 10, cache_read: 0, cache_write: 0 });

/** A reply of text and calls. */
export function reply(text: string, calls: readonly ToolCallPart[] = [], options: { readonly stop?: StopReason; readonly input?: number } = {}): ModelReply {
  const content: AssistantPart[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls];
  return { content, usage: usage(options.input ?? 100), stop: options.stop ?? (calls.length > 0 ? 'tool_calls' : 'end') };
}

export function call(id: string, tool: string, input: ToolCallPart['input'] = {}): ToolCallPart {
  return { type: 'tool_call', call_id: id, tool, input };
}

export function failure(kind: ModelFailure['kind'], message: string): ModelFailure {
  return { kind, message, retryable: false };
}

/** A tool that answers with \`run\`; everything about it can be set. */
export function tool(name: string, run: (input: Record<string, unknown>, signal: AbortSignal) => Promise<ToolOutcome> | ToolOutcome, more: Partial<AgentTool> = {}): AgentTool {
  return {
    spec: { name, description: name, input_schema: { type: 'object' } },
    polling: false,
    readOnly: false,
    atMostOnce: true,
    resumes: false,
    prepare: async (input) => ({ input }),
    permit: async () => ({ verdict: 'allow' }),
    run: async (input, { signal }) => run(input, signal),
    ...more,
  };
}

/** The loop on an in-memory log: what was stored, what was shown, what the model was asked. */
export class Harness {
  readonly events: StoredEvent[] = [];
  readonly shown: TransientBody[] = [];
  readonly requests: ModelRequest[] = [];
  readonly batches: { readonly types: readonly string[]; readonly durable: boolean }[] = [];
  readonly state: SessionState = emptySessionState('s');
  readonly #script: Script[];
  readonly #tools: readonly AgentTool[];
  readonly #limits: TurnLimits;
  readonly #contextWindow: number;
  #time = 0;
  #ids = 0;

  constructor(script: readonly Script[], tools: readonly AgentTool[] = [], options: Partial<TurnLimits> & { readonly contextWindow?: number } = {}) {
    const { contextWindow = 200_000, ...limits } = options;
    this.#script = [...script];
    this.#tools = tools;
    this.#contextWindow = contextWindow;
    this.#limits = { steps: 50, parallelTools: 10, compactAt: 0.7, ...limits };
    this.record([{ type: 'session.started', cwd: '/w', model: 'test/model', permission_mode: 'default', tools: [], skills_total: 0, sandbox: 'isolated', environment: { platform: 'linux', date: '2026-01-01' } }]);
  }

  record(bodies: readonly EventBody[], durable = false): void {
    if (bodies.length === 0) return;
    this.batches.push({ types: bodies.map((body) => body.type), durable });
    for (const body of bodies) {
      const event: StoredEvent = { ...body, session_id: 's', seq: this.events.length + 1, time: new Date(0).toISOString() };
      this.events.push(event);
      applyEvent(this.state, event);
    }
  }

  /** Adds replies for later requests. */
  script(...more: readonly Script[]): void {
    this.#script.push(...more);
  }

  /** Begins a turn and runs it to its end. */
  async turn(text: string, signal = new AbortController().signal): Promise<void> {
    this.record([{ type: 'turn.started', turn_id: `t${this.events.length}`, input: [{ type: 'text', text }] }]);
    await this.goOn(signal);
  }

  /** Runs the turn from where the log stands. */
  async goOn(signal = new AbortController().signal): Promise<void> {
    await runTurn(this.ports(), signal);
  }

  get last(): Extract<StoredEvent, { type: 'turn.completed' }> {
    const last = this.events.at(-1);
    if (last?.type !== 'turn.completed') throw new Error(`the last event is ${last?.type}`);
    return last;
  }

  of<T extends StoredEvent['type']>(type: T): Extract<StoredEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<StoredEvent, { type: T }> => event.type === type);
  }

  ports(): AgentPorts {
    return {
      model: this.#model(),
      system: 'You are a test.',
      specs: this.#tools.map((one) => one.spec),
      findTool: (name) => this.#tools.find((one) => one.spec.name === name),
      state: this.state,
      append: async (bodies, options = {}) => {
        if (options.unless?.()) return false;
        this.record(bodies, options.durable === true);
        return true;
      },
      stage: async (bodies) => this.record(bodies),
      emit: (body) => this.shown.push(body),
      fitOutcome: async (_callId, outcome) => outcome,
      limits: this.#limits,
      newRequestId: () => `r${++this.#ids}`,
      now: () => ++this.#time,
    };
  }

  #model(): Model {
    const requests = this.requests;
    const script = this.#script;
    return {
      info: { provider: 'test', id: 'model', contextWindow: this.#contextWindow, maxOutput: 8_000, images: true, documents: true, price: { input: 1, output: 2 } },
      async *stream(request, signal): AsyncIterable<ModelEvent> {
        requests.push(structuredClone(request));
        const next = script.shift() ?? reply('nothing left in the script');
        const item = typeof next === 'function' ? next(request) : next;
        if (signal.aborted) yield { type: 'failed', failure: failure('aborted', 'stopped') };
        else if (isEvents(item)) yield* item;
        else if ('kind' in item) yield { type: 'failed', failure: item };
        else yield { type: 'done', reply: item };
      },
    };
  }
}

function isEvents(item: ModelReply | ModelFailure | readonly ModelEvent[]): item is readonly ModelEvent[] {
  return Array.isArray(item);
}

export { ok };
