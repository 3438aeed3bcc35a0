import { spawn, type ChildProcess } from 'node:child_process';
import { PassThrough, Readable, Writable } from 'node:stream';
import { client, ndJsonStream, type ClientCapabilities, type ClientContext, type ContentBlock, type CreateElicitationRequest, type CreateElicitationResponse, type InitializeResponse, type PromptResponse, type RequestPermissionRequest, type RequestPermissionResponse, type SessionNotification, type SessionUpdate } from '@agentclientprotocol/sdk';
import { expect, onTestFinished } from 'vitest';
import { killGroup, programArgv, type Place } from '../e2e/program.ts';
import { checked, strayLines } from './checked.ts';

/** How an editor of a test behaves. */
export interface EditorOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly can?: ClientCapabilities;
  /** Without it the editor does not know the request. */
  readonly permission?: (request: RequestPermissionRequest) => Promise<RequestPermissionResponse> | RequestPermissionResponse;
  readonly elicitation?: (request: CreateElicitationRequest) => Promise<CreateElicitationResponse> | CreateElicitationResponse;
}

/** How the program ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** An editor that speaks with the built program. */
export interface TestEditor {
  readonly agent: ClientContext;
  readonly about: InitializeResponse;
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramEnd>;
  readonly updates: readonly SessionNotification[];
  readonly asked: readonly RequestPermissionRequest[];
  /** Begins a session in the project. */
  begin(): Promise<string>;
  prompt(sessionId: string, prompt: string | ContentBlock[]): Promise<PromptResponse>;
  /** Closes the input of the program, and waits for its end. */
  leave(): Promise<ProgramEnd>;
}

/** Starts the program in a place for an editor, and initializes. All that it writes to standard output is checked. */
export async function startEditor(place: Place, { args = [], env = {}, can = {}, permission, elicitation }: EditorOptions = {}): Promise<TestEditor> {
  const [node = '', ...program] = programArgv();
  const child = spawn(node, [...program, 'acp', ...args], { cwd: place.root, env: { ...place.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) killGroup(child, 'SIGKILL');
  });
  const output = { stdout: '', stderr: '' };
  const read = new PassThrough();
  child.stdout.on('data', (chunk: Buffer) => { output.stdout += chunk.toString(); }).pipe(read);
  child.stderr.on('data', (chunk: Buffer) => { output.stderr += chunk.toString(); });
  // The program may end before it reads its input.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<ProgramEnd>((resolve) => { child.on('close', (code, signal) => resolve({ code, signal, stderr: output.stderr })); });
  const updates: SessionNotification[] = [];
  const asked: RequestPermissionRequest[] = [];
  const app = client().onNotification('session/update', ({ params }) => void updates.push(params));
  if (permission) {
    app.onRequest('session/request_permission', ({ params }) => {
      asked.push(params);
      return permission(params);
    });
  }
  if (elicitation) app.onRequest('elicitation/create', ({ params }) => elicitation(params));
  const wrong: string[] = [];
  onTestFinished(() => expect([...wrong, ...strayLines(output.stdout)]).toEqual([]));
  const { agent } = app.connect(checked(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(read)), wrong));
  const about = await agent.request('initialize', { protocolVersion: 1, clientCapabilities: can });
  return {
    agent, about, child, ended, updates, asked,
    begin: async () => (await agent.request('session/new', { cwd: place.project, mcpServers: [] })).sessionId,
    prompt: (sessionId, prompt) => agent.request('session/prompt', { sessionId, prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt }),
    leave() {
      child.stdin.end();
      return ended;
    },
  };
}

type Kind = SessionUpdate['sessionUpdate'];

/** Updates of one kind. */
export function updatesOf<K extends Kind>({ updates }: Pick<TestEditor, 'updates'>, kind: K): readonly Extract<SessionUpdate, { sessionUpdate: K }>[] {
  return updates.flatMap(({ update }) => (isOf(update, kind) ? [update] : []));
}

function isOf<K extends Kind>(update: SessionUpdate, kind: K): update is Extract<SessionUpdate, { sessionUpdate: K }> {
  return update.sessionUpdate === kind;
}

/** What was said in updates of one kind, as one text. */
export function said(editor: Pick<TestEditor, 'updates'>, kind: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk' = 'agent_message_chunk'): string {
  return updatesOf(editor, kind).map(({ content }) => (content.type === 'text' ? content.text : `(${content.type})`)).join('');
}

/** Waits for something that a program brings about. */
export async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
}

/** Answers that a person gives to a request of consent. */
export const choose = (optionId: string) => (): RequestPermissionResponse => ({ outcome: { outcome: 'selected', optionId } });
