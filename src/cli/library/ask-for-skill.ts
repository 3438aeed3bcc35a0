import { SkillmintError } from '../../protocol/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { writeSkill, WRITTEN_SKILL_SCHEMA, type WrittenSkill } from '../../skills/library/write-skill.ts';
import { refuseStopped, whenStopped } from '../interrupts.ts';
import { openRuntime } from '../open-runtime.ts';

/** Has the configured model write a skill, in turns without tools and skills that are not kept. Throws `model_failed`, `output_invalid`, `interrupted`. */
export async function askForSkill(wish: string, { model, stop }: { readonly model: string | undefined; readonly stop: AbortSignal }): Promise<WrittenSkill> {
  if (wish.trim() === '') throw new SkillmintError('usage', 'The prompt is empty. Say what the skill is for.');
  const runtime = await openRuntime({ terminal: false, ephemeral: true });
  try {
    return await writeSkill(wish, (prompt) => ask(runtime, prompt, { model, stop }));
  } finally {
    await runtime.close();
  }
}

async function ask(runtime: Runtime, text: string, { model, stop }: { readonly model: string | undefined; readonly stop: AbortSignal }): Promise<string> {
  refuseStopped(stop);
  const turn = await runtime.prompt({ text, tools: 'none', skills: 'none', outputSchema: WRITTEN_SKILL_SCHEMA, ...(model === undefined ? {} : { model }) });
  const listening = whenStopped(stop, () => turn.cancel());
  try {
    const { status, output, text: said, error } = await turn.result;
    if (status === 'cancelled') throw new SkillmintError('interrupted', 'Interrupted; nothing was made.');
    // An answer that is not of the form asked for is told apart by whoever reads it.
    if (status !== 'done' && error?.code !== 'output_invalid') throw new SkillmintError('model_failed', `The model wrote no skill: ${error?.message ?? `the turn ended as ${status}`}. Nothing was made.`);
    return output === undefined ? said : JSON.stringify(output);
  } finally {
    listening();
  }
}
