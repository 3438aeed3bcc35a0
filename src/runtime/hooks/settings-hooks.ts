import type { LoadedSettings } from '../../config/load-settings.ts';
import type { Hook } from '../../protocol/hook.ts';

/** Hooks of settings, each layer for itself, with their problems as sentences. */
export async function settingsHooks({ layers }: LoadedSettings): Promise<readonly { readonly layer: string; readonly hooks: readonly Hook[]; readonly problems: readonly string[] }[]> {
  const having = layers.filter(({ settings }) => settings.hooks !== undefined);
  if (having.length === 0) return [];
  const { parseHooks } = await import('../../hooks/parse-hooks.ts');
  return having.map(({ settings, name, file }) => {
    const { hooks, diagnostics } = parseHooks(settings.hooks);
    return { layer: name, hooks, problems: diagnostics.map(({ message }) => `${file ?? `the settings of the ${name}`}: ${message}`) };
  });
}
