import type { Model } from '../../model/model.ts';
import { textOf } from '../../protocol/content.ts';
import { addUsage, costOf, NO_USAGE, type Usage } from '../../protocol/usage.ts';
import type { AskForTags } from '../../skills/search/generate-tags.ts';

/** What calls for tags have cost. */
export interface TagCost {
  readonly calls: number;
  readonly usage: Usage;
  /** Undefined where the price is not known. */
  readonly cost_usd: number | undefined;
}

/** Asks a model for tags, and counts. */
export interface TagAsker {
  readonly ask: AskForTags;
  /** So far. Calls that failed are counted without tokens: what they cost is not known. */
  readonly cost: () => TagCost;
}

/** Ten skills with twelve tags each, and room for a model that thinks first, in tokens. */
const MOST_OUTPUT = 8_000;
const SYSTEM = 'You write search tags for a catalogue of skills.';

/** An asker of this model. */
export function tagAsker(model: Model): TagAsker {
  const { price, maxOutput } = model.info;
  let calls = 0;
  let usage = NO_USAGE;
  return {
    ask: async (prompt, signal) => {
      calls += 1;
      const request = { system: SYSTEM, tools: [], messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }], maxOutput: Math.min(maxOutput, MOST_OUTPUT), effort: 'low' } as const;
      for await (const event of model.stream(request, signal)) {
        if (event.type === 'failed') return { kind: 'failed', message: event.failure.message };
        if (event.type !== 'done') continue;
        usage = addUsage(usage, event.reply.usage);
        return { kind: 'answer', text: textOf(event.reply.content) };
      }
      return { kind: 'failed', message: 'the answer had no end' };
    },
    cost: () => ({ calls, usage, cost_usd: price && costOf(usage, price) }),
  };
}

/** The cost for a person, as `2 calls, 3500 tokens in and 420 out, $0.0012`. */
export function costText({ calls, usage, cost_usd }: TagCost): string {
  const input = usage.input + usage.cache_read + usage.cache_write;
  return `${calls} ${calls === 1 ? 'call' : 'calls'}, ${input} tokens in and ${usage.output} out${cost_usd === undefined ? '' : `, $${cost_usd.toFixed(4)}`}`;
}
