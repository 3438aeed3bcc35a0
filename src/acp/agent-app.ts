import { agent, PROTOCOL_VERSION, RequestError, type AgentApp, type InitializeResponse } from '@agentclientprotocol/sdk';
import { VERSION } from '../version.ts';
import { asRequestError } from './acp-error.ts';
import type { Editor } from './editor.ts';
import { KEY_METHOD, login } from './login.ts';
import { editorSessions, type EditorSessions } from './editor-sessions.ts';

/** What the agent is made with. */
export interface AgentAppParts extends Omit<Editor, 'client' | 'can'> {
  readonly onFault: (error: unknown) => void;
}

/** The agent of one connection. */
export interface EditorAgent {
  readonly app: AgentApp;
  /** Ends what runs, once the connection is closed. */
  end(): Promise<void>;
}

/** Makes the agent of one connection: the requests that an editor may make, and who answers them. */
export function editorAgent({ onFault, ...parts }: AgentAppParts): EditorAgent {
  let sessions: EditorSessions | undefined;
  const open = (): EditorSessions => {
    if (!sessions) throw RequestError.invalidRequest({ code: 'usage' }, 'initialize comes first');
    return sessions;
  };
  const answer = <Context, Answer>(work: (context: Context) => Promise<Answer>) => async (context: Context): Promise<Answer> => {
    try {
      return await work(context);
    } catch (error) {
      throw asRequestError(error, onFault);
    }
  };
  const app = agent({ name: 'skillmint' })
    .onRequest('initialize', answer(async ({ params, client }) => {
      sessions ??= editorSessions({ ...parts, client, can: params.clientCapabilities ?? {} });
      return aboutUs();
    }))
    .onRequest('authenticate', answer(async ({ params }) => {
      await login(parts, params.methodId);
      return {};
    }))
    .onRequest('session/new', answer(({ params }) => open().create(params)))
    .onRequest('session/load', answer(({ params }) => open().open(params, { replay: true })))
    .onRequest('session/resume', answer(({ params }) => open().open(params, { replay: false })))
    .onRequest('session/list', answer(({ params }) => open().list(params)))
    .onRequest('session/delete', answer(async ({ params }) => {
      await open().remove(params.sessionId);
      return {};
    }))
    .onRequest('session/close', answer(async ({ params }) => {
      await open().close(params.sessionId);
      return {};
    }))
    .onRequest('session/set_mode', answer(async ({ params }) => {
      await open().named(params.sessionId).setMode(params.modeId);
      return {};
    }))
    .onRequest('session/set_config_option', answer(async ({ params }) => {
      const configOptions = await open().named(params.sessionId).setOption(params.configId, String(params.value));
      return { configOptions };
    }))
    .onRequest('session/prompt', answer(({ params, signal }) => open().named(params.sessionId).prompt(params.prompt, signal)))
    .onNotification('session/cancel', ({ params }) => sessions?.find(params.sessionId)?.cancel());
  return { app, end: async () => sessions?.closeAll() };
}

function aboutUs(): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'skillmint', title: 'Skillmint', version: VERSION },
    authMethods: [KEY_METHOD],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
    },
  };
}
