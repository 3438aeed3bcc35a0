import path from 'node:path';
import type { PromptRequest, Runtime } from '../../runtime/runtime.ts';
import { oneLine } from '../terminal.ts';
import type { Face } from './face.ts';

/** What a person may change while a conversation goes on. */
export type Choice = Pick<PromptRequest, 'model' | 'mode'>;

/** What settles a session when it begins. */
export type SessionStart = Choice & Pick<PromptRequest, 'cwd' | 'skill' | 'addDirs'>;

/** What the interactive mode keeps between turns. */
export interface Conversation {
  readonly runtime: Pick<Runtime, 'prompt' | 'answer' | 'resume' | 'compact' | 'configure' | 'unloadSkill' | 'rewind' | 'sessions' | 'skills' | 'agents' | 'settings' | 'library' | 'mcp' | 'memory' | 'skillAgent' | 'enhanceSkill' | 'enhancements' | 'evaluateSkill' | 'draftEvals'>;
  readonly face: Face;
  /** Sessions are gone when the program ends. */
  readonly ephemeral: boolean;
  /** Flags that hold for every turn. */
  turn: Omit<PromptRequest, 'text' | 'sessionId' | keyof SessionStart>;
  /** The next new session begins with these: the flags, and over them the latest choice. */
  start: SessionStart;
  sessionId: string | undefined;
  /** How commands will run, in words. */
  sandbox: string;
  /** What the settings say, where nobody has chosen. */
  defaults: { readonly [name in keyof Choice]: Choice[name] | undefined };
}

/** A conversation as the flags of the command line describe it. Nothing is asked or changed yet. */
export function newConversation(parts: Pick<Conversation, 'runtime' | 'face' | 'ephemeral'>, flags: Omit<PromptRequest, 'text'>): Conversation {
  const { sessionId, model, mode, cwd, skill, addDirs, ...turn } = flags;
  const start: SessionStart = {
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(skill === undefined ? {} : { skill }),
    ...(addDirs === undefined ? {} : { addDirs }),
  };
  return { ...parts, turn, start, sessionId, sandbox: '', defaults: {} };
}

/** The request for a message. A session that exists has its own model and mode; only a new one is given any. */
export function requestFor({ sessionId, turn, start }: Conversation, text: string): PromptRequest {
  return { ...turn, ...(sessionId === undefined ? start : { sessionId }), text };
}

/** Takes a choice: the session that runs is changed at once, and the next new one begins with it. Rejects when the session cannot be changed. */
export async function choose(conversation: Conversation, choice: Choice): Promise<void> {
  if (conversation.sessionId !== undefined) await conversation.runtime.configure(conversation.sessionId, choice);
  conversation.start = { ...conversation.start, ...choice };
}

/** Folder of the session, or of the one that the next message begins. */
export async function folderOf({ runtime, sessionId, start }: Pick<Conversation, 'runtime' | 'sessionId' | 'start'>): Promise<string> {
  return sessionId === undefined ? path.resolve(start.cwd ?? '.') : (await runtime.sessions.get(sessionId)).cwd;
}

/** What a session that is gone on with is, and how it will go on. */
export async function sessionLine({ runtime }: Pick<Conversation, 'runtime'>, sessionId: string): Promise<string> {
  const { title } = await runtime.sessions.get(sessionId);
  const { model, permission_mode } = await runtime.sessions.state(sessionId);
  return oneLine(`going on with ${sessionId}: ${title || '(no message)'} · ${model} · ${permission_mode}`);
}
