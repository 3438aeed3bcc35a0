import type { BoundHooks } from './bind-hooks.ts';
import type { HookBinding, TurnHooks } from './hook-binding.ts';

/** The hooks of settings and active skills for a turn. What it takes to run them is loaded as soon as there is one. */
export function turnHooks(given: HookBinding): TurnHooks {
  let bound: Promise<BoundHooks> | undefined;
  const load = async (): Promise<BoundHooks> => (await import('./bind-hooks.ts')).bindHooks(given);
  const hooks = async (): Promise<BoundHooks | undefined> => (bound || mayHaveHooks(given) ? (bound ??= load()) : undefined);
  return {
    async beforePrompt(signal) {
      const { lifecycle, session: { state } } = given;
      if (!state.parent_run) lifecycle.end = async () => (await hooks())?.end();
      const loaded = await hooks();
      if (loaded) return loaded.beforePrompt(signal);
      lifecycle.started ||= !state.parent_run;
      return undefined;
    },
    beforeMessage: async (text, signal) => (await hooks())?.beforeMessage(text, signal) ?? { note: '' },
    beforeTool: async (call, signal) => (await hooks())?.beforeTool(call, signal) ?? {},
    afterTool: async (call, signal) => (await hooks())?.afterTool(call, signal) ?? { outcome: call.outcome, events: [] },
    beforeStop: async (signal) => (await hooks())?.beforeStop(signal),
    beforeCompact: async (trigger, signal) => (await hooks())?.beforeCompact(trigger, signal) ?? true,
    whenCompacted: async (signal) => (await hooks())?.whenCompacted(signal) ?? { text: '', events: [] },
  };
}

function mayHaveHooks({ settings, coming, outers, session: { state } }: HookBinding): boolean {
  if (settings.layers.some((layer) => layer.settings.hooks !== undefined) || coming?.frontmatter.hooks !== undefined) return true;
  return [state, ...outers].some(({ skills }) => [...skills.values()].some((skill) => skill.hooks !== undefined));
}
