import type { AskJudge } from '../../evaluate/judge/ask-judge.ts';
import type { Model } from '../../model/model.ts';
import { textOf } from '../../protocol/content.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { costOf } from '../../protocol/usage.ts';

/** Room for a model that thinks first, in tokens. */
const MOST_OUTPUT = 8_000;

/** A judge that asks this model, without tools and history. */
export function judgeOf(model: Model): AskJudge {
  const { price, maxOutput } = model.info;
  return async ({ system, prompt }, signal) => {
    const request = { system, tools: [], messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }], maxOutput: Math.min(maxOutput, MOST_OUTPUT) } as const;
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'failed' && event.failure.kind === 'aborted') throw new SkillmintError('interrupted', 'The evaluation was interrupted.');
      if (event.type === 'failed') return { kind: 'failed', message: event.failure.message };
      if (event.type === 'done') return { kind: 'answer', text: textOf(event.reply.content), usage: event.reply.usage, ...(price ? { cost_usd: costOf(event.reply.usage, price) } : {}) };
    }
    return { kind: 'failed', message: 'the answer had no end' };
  };
}
