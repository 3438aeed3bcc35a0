import type { PermissionMode } from '../../../protocol/permission.ts';
import type { Conversation } from '../conversation.ts';

/** Model and permission mode of the conversation, as far as anybody has said: those of its session, or of the one that the next message begins. */
export async function ways({ runtime, sessionId, start }: Pick<Conversation, 'runtime' | 'sessionId' | 'start'>): Promise<{ readonly model: string | undefined; readonly mode: PermissionMode | undefined }> {
  if (sessionId === undefined) return { model: start.model, mode: start.mode };
  const { model, permission_mode: mode } = await runtime.sessions.state(sessionId);
  return { model: model === '' ? start.model : model, mode };
}
