import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { SkillmintError } from '../protocol/errors.ts';
import type { EffortLevel } from '../protocol/events.ts';
import { PERMISSION_MODES } from '../protocol/permission.ts';
import type { Editor } from './editor.ts';
import { configOptions, effortNamed, modeState, type Chosen, type SessionOptions } from './session-options.ts';

/** What a person may change of a session while it is open. */
export interface SessionChoices {
  /** From the next turn on; undefined for what the model takes by itself. */
  effort(): EffortLevel | undefined;
  /** As they are now. */
  options(): Promise<SessionOptions>;
  /** @throws SkillmintError usage, session_busy */
  setMode(name: string): Promise<void>;
  /** @throws SkillmintError usage, session_busy, model_unknown, key_missing */
  setOption(id: string, value: string): Promise<SessionOptions['configOptions']>;
  /** Tells the editor of them after a change. */
  tell(): Promise<void>;
}

/** Makes the choices of a session. */
export function sessionChoices({ runtime }: Pick<Editor, 'runtime'>, { sessionId, cwd, send }: { readonly sessionId: string; readonly cwd: string; readonly send: (update: SessionUpdate) => Promise<void> }): SessionChoices {
  let effort: EffortLevel | undefined;
  const chosen = async (): Promise<Chosen> => ({ ...(await runtime.sessions.state(sessionId)), effort });
  const options = async (): Promise<SessionOptions> => {
    const now = await chosen();
    return { modes: modeState(now), configOptions: await configOptions(runtime, cwd, now) };
  };
  const tell = async (): Promise<void> => {
    const { modes, configOptions: all } = await options();
    await send({ sessionUpdate: 'current_mode_update', currentModeId: modes.currentModeId });
    await send({ sessionUpdate: 'config_option_update', configOptions: all });
  };
  const setMode = async (name: string): Promise<void> => {
    const mode = PERMISSION_MODES.find((one) => one === name);
    if (!mode) throw new SkillmintError('usage', `There is no permission mode "${name}". Use one of: ${PERMISSION_MODES.join(', ')}.`);
    await runtime.configure(sessionId, { mode });
    await tell();
  };
  return {
    effort: () => effort,
    options,
    tell,
    setMode,
    async setOption(id, value) {
      const level = id === 'effort' ? effortNamed(value) : undefined;
      if (id === 'mode') await setMode(value);
      else if (id === 'model') await runtime.configure(sessionId, { model: value });
      else if (level) effort = level.level;
      else throw new SkillmintError('usage', `There is no option ${JSON.stringify(id)} with the value ${JSON.stringify(value)}.`);
      return (await options()).configOptions;
    },
  };
}
