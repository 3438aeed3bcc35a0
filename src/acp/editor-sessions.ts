import path from 'node:path';
import type { ListSessionsRequest, ListSessionsResponse, LoadSessionRequest, LoadSessionResponse, McpServer, NewSessionRequest, NewSessionResponse, SessionId } from '@agentclientprotocol/sdk';
import type { Editor } from './editor.ts';
import { offeredServers, serverForms } from './offered-servers.ts';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import { pacedWork } from '../util/paced-work.ts';
import { openEditorSession, type EditorSession } from './editor-session.ts';

const PAGE = 50;
/** It is looked for new commands this often, ms. */
const LOOK_MS = 5_000;

/** The sessions that an editor has open, and those it can open. */
export interface EditorSessions {
  find(sessionId: SessionId): EditorSession | undefined;
  /** @throws SkillmintError session_not_found for one that is not open */
  named(sessionId: SessionId): EditorSession;
  create(request: NewSessionRequest): Promise<NewSessionResponse>;
  /** With `replay` the conversation so far is shown before it resolves. */
  open(request: Omit<LoadSessionRequest, 'mcpServers'> & { readonly mcpServers?: readonly McpServer[] }, how: { readonly replay: boolean }): Promise<LoadSessionResponse>;
  list(request: ListSessionsRequest): Promise<ListSessionsResponse>;
  remove(sessionId: SessionId): Promise<void>;
  close(sessionId: SessionId): Promise<void>;
  /** Ends what runs in all of them. */
  closeAll(): Promise<void>;
}

/** Where a session is to work. */
interface Folders {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
}

/** Makes the sessions of an editor. */
export function editorSessions(editor: Editor): EditorSessions {
  const { runtime, log, start } = editor;
  const opened = new Map<SessionId, EditorSession>();
  const servers = offeredServers(runtime);
  let fault = '';
  const looking = pacedWork(LOOK_MS, async () => {
    try {
      for (const session of opened.values()) if (!session.busy()) await session.tellCommands();
      fault = '';
    } catch (error) {
      // The same again is no news.
      if (fault !== messageOf(error)) log(`The commands cannot be told: ${messageOf(error)}`);
      fault = messageOf(error);
    }
  });

  const keep = async (sessionId: SessionId, { replay }: { readonly replay: 'first' | 'later' | 'never' }): Promise<LoadSessionResponse> => {
    const session = await openEditorSession(editor, sessionId);
    opened.set(sessionId, session);
    if (replay === 'first') await session.replay();
    const options = await session.options();
    // The editor knows the session once it has the answer.
    setTimeout(() => {
      const told = replay === 'later' ? session.replay().then(session.announce) : session.announce();
      told.catch((error: unknown) => log(`session ${sessionId}: ${messageOf(error)}`));
    }, 0);
    return options;
  };
  const known = async (sessionId: SessionId, folders: Folders): Promise<void> => {
    checkFolders(folders);
    const { cwd } = await runtime.sessions.get(sessionId);
    if (path.resolve(folders.cwd) !== cwd) throw new SkillmintError('invalid_argument', `Session ${sessionId} works in ${cwd}, not in ${folders.cwd}. Open it with that folder.`);
    if (opened.get(sessionId)?.busy()) throw new SkillmintError('session_busy', `Session ${sessionId} runs a turn. Wait until it has ended, or stop it.`);
  };
  const close = async (sessionId: SessionId): Promise<void> => {
    const session = opened.get(sessionId);
    opened.delete(sessionId);
    await session?.close();
    await servers.take(sessionId);
  };
  return {
    find: (sessionId) => opened.get(sessionId),
    named(sessionId) {
      const session = opened.get(sessionId);
      if (!session) throw new SkillmintError('session_not_found', `Session ${sessionId} is not open here. Open it with session/load or session/resume.`);
      return session;
    },
    async create(request) {
      checkFolders(request);
      const forms = serverForms(request.mcpServers);
      const sessionId = await runtime.sessions.create({ ...start, cwd: request.cwd, addDirs: request.additionalDirectories ?? [] });
      await servers.give(sessionId, { cwd: path.resolve(request.cwd), forms });
      return { sessionId, ...(await keep(sessionId, { replay: 'later' })) };
    },
    async open(request, { replay }) {
      const { sessionId, mcpServers = [], additionalDirectories = [] } = request;
      const forms = serverForms(mcpServers);
      await known(sessionId, request);
      await runtime.configure(sessionId, { addDirs: additionalDirectories });
      await servers.give(sessionId, { cwd: path.resolve(request.cwd), forms });
      return keep(sessionId, { replay: replay ? 'first' : 'never' });
    },
    async list({ cwd, cursor }) {
      const offset = Number(cursor ?? 0);
      if (!Number.isSafeInteger(offset) || offset < 0) throw new SkillmintError('invalid_argument', 'The cursor must be one that session/list has given.');
      const found = await runtime.sessions.list({ limit: PAGE + 1, offset, ...(typeof cwd === 'string' ? { cwd: path.resolve(cwd) } : {}) });
      return {
        // An editor begins a session before anything is said in it.
        sessions: found.slice(0, PAGE).filter(({ title }) => title !== '').map((one) => ({ sessionId: one.session_id, cwd: one.cwd, title: one.title, updatedAt: one.updated_at })),
        ...(found.length > PAGE ? { nextCursor: String(offset + PAGE) } : {}),
      };
    },
    async remove(sessionId) {
      await close(sessionId);
      await runtime.sessions.get(sessionId);
      for (const note of await runtime.sessions.remove(sessionId)) log(note);
    },
    close,
    async closeAll() {
      await Promise.all([looking.stop(), ...[...opened.keys()].map(close)]);
    },
  };
}

function checkFolders({ cwd, additionalDirectories = [] }: Folders): void {
  for (const folder of [cwd, ...additionalDirectories]) {
    if (!path.isAbsolute(folder)) throw new SkillmintError('invalid_argument', `The folder ${JSON.stringify(folder)} must be an absolute path.`);
  }
}
