import type { HookedCall } from '../../agent/ports.ts';
import type { FiredHook, HookMoment } from '../../hooks/fire-hooks.ts';
import { hookEvents } from '../../hooks/hook-results.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { HookEvent } from '../../protocol/hook.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { shellArgv } from '../../tools/shell-command.ts';
import { hookSources, type HookSourceParts } from './hook-sources.ts';
import type { LiveSession } from '../turn/live-session.ts';

/** What the hooks of a session work with. */
export interface SessionHookParts extends Omit<HookSourceParts, 'state'> {
  readonly session: LiveSession;
  /** Whether a call meets a permission rule, or may. */
  readonly meets: (rule: string, call: Pick<HookedCall, 'tool' | 'input'>) => Promise<boolean>;
}

/** The hooks of settings and active skills, as they are in force when something happens. */
export interface SessionHooks {
  /** Runs the hooks that wait for a moment; empty where none does. Each hook's run is an event that the caller stores. */
  fire(moment: HookMoment & { readonly call?: HookedCall; readonly only?: 'skill' | undefined }, signal: AbortSignal): Promise<readonly FiredHook[]>;
  isAwaited(event: HookEvent): Promise<boolean>;
}

/** Opens the hooks of a session. As long as there are none, an event costs a look at the session's state. */
export function sessionHooks(given: SessionHookParts): SessionHooks {
  const { session, meets, parts } = given;
  const { state } = session;
  const sources = hookSources({ ...given, state });
  const first = firstTime();
  const news = firstTime();
  const waitingFor = async (event: HookEvent) => (await sources()).filter(({ hooks }) => hooks.some((hook) => hook.event === event));
  return {
    async fire({ call, only, ...moment }, signal) {
      const waiting = (await waitingFor(moment.event)).filter(({ kind }) => only === undefined || kind === only);
      if (waiting.length === 0 || signal.aborted) return [];
      // What was said before is stored before a command acts on it.
      await session.append([]);
      const { fireHooks } = await import('../../hooks/fire-hooks.ts');
      const { host } = parts;
      return fireHooks(waiting, moment, {
        cwd: state.cwd,
        facts: { session_id: state.parent_run?.session_id ?? state.session_id, ...agentFacts(state), cwd: state.cwd, permission_mode: state.permission_mode === 'unrestricted' ? 'bypassPermissions' : state.permission_mode },
        shell: (command) => shellArgv({ host, platform: host.platform, env: waiting[0]?.env ?? {}, command }),
        meets: async (rule) => call !== undefined && meets(rule, call),
        claim: (key) => !state.hooks_done.has(key) && given.outers.every(({ hooks_done }) => !hooks_done.has(key)) && first(key),
        isNews: news,
        signal,
      });
    },
    isAwaited: async (event) => (await waitingFor(event)).length > 0,
  };
}

function agentFacts(state: LiveSession['state']): JsonObject {
  return state.parent_run ? { agent_id: state.parent_run.task_id, agent_type: state.agent?.type ?? '' } : {};
}

function firstTime(): (text: string) => boolean {
  const known = new Set<string>();
  return (text) => known.size < known.add(text).size;
}

/** Runs the hooks that wait for the end of a session. What they did is stored if the session is free to be written. */
export async function endSession(session: LiveSession, hooks: SessionHooks): Promise<void> {
  if (!(await hooks.isAwaited('SessionEnd'))) return;
  try {
    await session.acquire();
  } catch (error) {
    if (error instanceof SkillmintError) return;
    throw error;
  }
  try {
    await session.append(hookEvents(await hooks.fire({ event: 'SessionEnd', names: ['other'], fields: { reason: 'other' } }, session.lost)));
  } finally {
    await session.release();
  }
}
