/** Tokens of one or more model calls. `input` excludes cached tokens; the context of a call is the sum of the three inputs. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
  /** Part of `output` that was reasoning, where the provider says so. */
  readonly reasoning?: number;
}

/** Nothing used yet. */
export const NO_USAGE: Usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

/** Sum of two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cache_read: a.cache_read + b.cache_read,
    cache_write: a.cache_write + b.cache_write,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}

/** Prices in USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

/** Cost in USD. Cached tokens without a price of their own cost what input costs. */
export function costOf(usage: Usage, price: Price): number {
  const millionths =
    usage.input * price.input +
    usage.output * price.output +
    usage.cache_read * (price.cache_read ?? price.input) +
    usage.cache_write * (price.cache_write ?? price.input);
  return millionths / 1_000_000;
}

/** What turns took on a day, by one model or with one skill. Times in ms. */
export interface UsageSum {
  readonly day: string;
  /** Of the model (`PROVIDER/MODEL`), or id of the skill; empty for a whole day. */
  readonly name: string;
  readonly turns: number;
  /** Replies of models. */
  readonly steps: number;
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly cost_usd: number;
  readonly model_ms: number;
  readonly tool_ms: number;
}
