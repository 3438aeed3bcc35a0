import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { contextWindow } from '../runtime/settings/context-window.ts';
import { availableCommands } from './commands.ts';
import type { Editor } from './editor.ts';

/** What has changed beside the conversation. Nothing is told twice, and nothing once the editor is gone. */
export interface SessionNews {
  /** Tells what may be called. */
  commands(): Promise<void>;
  /** Tells what may be called, the title, how full the context is, the cost. */
  all(): Promise<void>;
}

/** Tells an editor of it. */
export function sessionNews({ runtime, gone }: Pick<Editor, 'runtime' | 'gone'>, { sessionId, cwd, send }: { readonly sessionId: string; readonly cwd: string; readonly send: (update: SessionUpdate) => Promise<void> }): SessionNews {
  let known = '';
  let title = '';
  const commands = async (): Promise<void> => {
    if (gone.aborted) return;
    const { add_dirs } = await runtime.sessions.state(sessionId);
    const available = await availableCommands(runtime, { cwd, addDirs: add_dirs });
    const now = JSON.stringify(available);
    if (now === known) return;
    known = now;
    await send({ sessionUpdate: 'available_commands_update', availableCommands: available });
  };
  return {
    commands,
    async all() {
      await commands();
      if (gone.aborted) return;
      const { context, model, cost_usd } = await runtime.sessions.state(sessionId);
      const summary = await runtime.sessions.get(sessionId);
      if (summary.title !== title) await send({ sessionUpdate: 'session_info_update', title: summary.title, updatedAt: summary.updated_at });
      title = summary.title;
      const size = await contextWindow(runtime, cwd, model);
      if (size !== undefined && context.tokens > 0) await send({ sessionUpdate: 'usage_update', used: context.tokens, size, ...(cost_usd > 0 ? { cost: { amount: cost_usd, currency: 'USD' } } : {}) });
    },
  };
}
