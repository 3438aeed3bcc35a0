import { SkillmintError } from '../../protocol/errors.ts';
import { listModels } from '../../model/listing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible, refuseStopped, whenStopped } from '../interrupts.ts';
import { openRuntime } from '../open-runtime.ts';
import { commandSettings } from '../load-settings.ts';
import { oneLine, palette, printJson, write } from '../terminal.ts';

interface ModelFlags {
  readonly ready?: boolean;
  readonly json?: boolean;
}

/** `skillmint models list`. */
export async function listModelsCommand(flags: ModelFlags): Promise<void> {
  const { loaded } = await commandSettings();
  const models = listModels(loaded.values.providers, process.env).filter((model) => !flags.ready || model.ready);
  if (flags.json) return printJson({ models });
  const paint = palette(process.stdout);
  const width = Math.max(...models.map((model) => oneLine(model.name).length));
  for (const model of models) {
    const price = model.price ? `${model.price.input}/${model.price.output} USD per million tokens` : '';
    await write(process.stdout, `${model.ready ? paint.green('●') : paint.dim('○')} ${oneLine(model.name).padEnd(width)}  ${String(Math.round(model.contextWindow / 1000)).padStart(5)}k  ${paint.dim(model.ready ? price : `needs ${oneLine(model.missing ?? 'a key')}`)}\n`);
  }
}

/** `skillmint models test`: one small question, nothing stored. Resolves to the exit code. */
export function testModel(model: string | undefined, flags: ModelFlags): Promise<number> {
  return interruptible(async (stop) => {
    const runtime = await openRuntime({ terminal: false, ephemeral: true });
    try {
      refuseStopped(stop);
      await askOneWord(runtime, { model, stop, json: flags.json === true });
      return EXIT.done;
    } finally {
      await runtime.close();
    }
  });
}

async function askOneWord(runtime: Runtime, { model, stop, json }: { readonly model: string | undefined; readonly stop: AbortSignal; readonly json: boolean }): Promise<void> {
  const began = performance.now();
  const turn = await runtime.prompt({ text: 'Answer with the one word: ready', tools: 'none', ...(model === undefined ? {} : { model }) });
  const listening = whenStopped(stop, () => turn.cancel());
  const result = await turn.result;
  listening();
  const ms = Math.round(performance.now() - began);
  if (result.status === 'cancelled') throw new SkillmintError('interrupted', 'Interrupted before the model had answered.');
  if (result.status !== 'done') throw new SkillmintError('model_failed', result.error?.message ?? `the turn ended as ${result.status}`);
  if (json) await printJson({ ok: true, ms, usage: result.usage, text: result.text });
  else await write(process.stdout, `ok, ${ms} ms, ${result.usage.input + result.usage.cache_read + result.usage.cache_write} tokens in, ${result.usage.output} out\n`);
}
