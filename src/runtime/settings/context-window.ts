import type { Runtime } from '../runtime.ts';

/** Tokens that the context of a model (`PROVIDER/MODEL`) holds; undefined where nobody has said. */
export async function contextWindow(runtime: Pick<Runtime, 'settings'>, cwd: string, model: string): Promise<number | undefined> {
  const models = await (await runtime.settings(cwd)).models();
  return models.find(({ name }) => name === model)?.contextWindow;
}
