import type { Usage as ProtocolUsage } from '@agentclientprotocol/sdk/unstable';
import type { Usage } from '../protocol/usage.ts';

/** Tokens of a turn as the protocol counts them. */
export function usageOf({ input, output, cache_read, cache_write, reasoning }: Usage): ProtocolUsage {
  return {
    totalTokens: input + output + cache_read + cache_write,
    inputTokens: input,
    outputTokens: output,
    cachedReadTokens: cache_read,
    cachedWriteTokens: cache_write,
    ...(reasoning === undefined ? {} : { thoughtTokens: reasoning }),
  };
}
