import { bearer } from '../openai-host.ts';
import type { WireFormat } from '../wire.ts';
import { responsesBody } from './request.ts';
import { responsesReader } from './stream.ts';

/** OpenAI Responses. */
export const openAiResponses: WireFormat = {
  url: (baseUrl) => `${baseUrl}/responses`,
  headers: (_target, key) => bearer(key),
  body: responsesBody,
  reader: responsesReader,
};
