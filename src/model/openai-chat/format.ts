import { bearer } from '../openai-host.ts';
import type { WireFormat } from '../wire.ts';
import { chatBody } from './request.ts';
import { chatReader } from './stream.ts';

/** OpenAI Chat Completions, which most other providers and local servers speak too. */
export const openAiChat: WireFormat = {
  url: (baseUrl) => `${baseUrl}/chat/completions`,
  headers: (_target, key) => bearer(key),
  body: chatBody,
  reader: chatReader,
};
