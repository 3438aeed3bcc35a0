import type { AuthMethod } from '@agentclientprotocol/sdk';
import { SkillmintError } from '../protocol/errors.ts';
import type { Editor } from './editor.ts';

/** There is no account of skillmint: what is needed is the key of a model provider. */
export const KEY_METHOD: AuthMethod = {
  id: 'provider-key',
  name: 'Key of a model provider',
  description: 'Set the variable of your provider, such as ANTHROPIC_API_KEY, in the environment of the agent, or: skillmint config set providers.NAME.apiKey KEY',
};

/** Looks whether there is a key by now. @throws SkillmintError usage for another method, key_missing */
export async function login({ runtime, start }: Pick<Editor, 'runtime' | 'start'>, methodId: string): Promise<void> {
  if (methodId !== KEY_METHOD.id) throw new SkillmintError('usage', `There is no login ${JSON.stringify(methodId)}. The only one is ${KEY_METHOD.id}.`);
  const models = await (await runtime.settings(process.cwd())).models();
  const wanted = start.model?.split('/')[0];
  const fitting = models.filter(({ provider }) => (wanted === undefined ? provider !== 'demo' : provider === wanted));
  if (!fitting.some(({ ready }) => ready)) throw new SkillmintError('key_missing', `There is no key${wanted === undefined ? '' : ` for ${wanted}`}. ${KEY_METHOD.description ?? ''}`);
}
