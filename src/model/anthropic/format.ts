import type { WireFormat } from '../wire.ts';
import { anthropicBody } from './request.ts';
import { anthropicReader } from './stream.ts';

/** Anthropic Messages. The base URL may end in `/v1` or not. */
export const anthropic: WireFormat = {
  url: (baseUrl) => `${baseUrl.replace(/\/v1$/, '')}/v1/messages`,
  headers: ({ traits }, key) => ({
    'anthropic-version': '2023-06-01',
    ...(traits.thinking === 'preserved' ? { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' } : {}),
    ...(key === undefined ? {} : { 'x-api-key': key }),
  }),
  body: anthropicBody,
  reader: anthropicReader,
};
