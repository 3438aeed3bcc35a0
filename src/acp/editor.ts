import type { AgentContext, ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk';
import type { PromptRequest, Runtime } from '../runtime/runtime.ts';

/** What every session of an editor works with. */
export interface Editor {
  readonly runtime: Pick<Runtime, 'prompt' | 'answer' | 'resume' | 'compact' | 'configure' | 'unloadSkill' | 'sessions' | 'agents' | 'skills' | 'settings' | 'mcp'>;
  readonly client: AgentContext;
  /** What the editor has said of itself. */
  readonly can: ClientCapabilities;
  /** Aborts when the editor is gone. */
  readonly gone: AbortSignal;
  /** Model and mode of new sessions, and what holds for every turn. */
  readonly start: Pick<PromptRequest, 'model' | 'mode'>;
  readonly turn: Pick<PromptRequest, 'sandbox'>;
  /** For faults, beside the protocol. */
  readonly log: (line: string) => void;
}

/** Sends what a session shows; nothing once the editor is gone. */
export async function sendUpdate({ client, gone }: Pick<Editor, 'client' | 'gone'>, sessionId: string, update: SessionUpdate): Promise<void> {
  if (gone.aborted) return;
  try {
    await client.notify('session/update', { sessionId, update });
  } catch (error) {
    if (!gone.aborted) throw error;
  }
}
