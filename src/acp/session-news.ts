import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { contextWindow } from '../runtime/settings/context-window.ts';
import { availableCommands } from './commands.ts';
import type { Editor } from './editor.ts';

/** Tells an editor what has changed beside the conversation: what may be called, the title, how full the context is, the cost. */
export function sessionNews({ runtime, gone }: Pick<Editor, 'runtime' | 'gone'>, { sessionId, cwd, send }: { readonly sessionId: string; readonly cwd: string; readonly send: (update: SessionUpdate) => Promise<void> }): () => Promise<void> {
  let commands = '';
  let title = '';
  return async () => {
    if (gone.aborted) return;
    const { context, model, cost_usd, add_dirs } = await runtime.sessions.state(sessionId);
    const available = await availableCommands(runtime, { cwd, addDirs: add_dirs });
    if (JSON.stringify(available) !== commands) await send({ sessionUpdate: 'available_commands_update', availableCommands: available });
    commands = JSON.stringify(available);
    const summary = await runtime.sessions.get(sessionId);
    if (summary.title !== title) await send({ sessionUpdate: 'session_info_update', title: summary.title, updatedAt: summary.updated_at });
    title = summary.title;
    const size = await contextWindow(runtime, cwd, model);
    if (size !== undefined && context.tokens > 0) await send({ sessionUpdate: 'usage_update', used: context.tokens, size, ...(cost_usd > 0 ? { cost: { amount: cost_usd, currency: 'USD' } } : {}) });
  };
}
