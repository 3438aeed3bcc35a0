import type { API } from '../../../../src/api/api.ts';
import type { BodyOf } from '../../../../src/api/endpoint.ts';
import type { OutgoingMessage } from './outgoing-message.ts';

/** A message as the API takes it. */
export function bodyOf({ text, attachments, key }: OutgoingMessage): { readonly body: BodyOf<(typeof API)['sendMessage']>; readonly headers: Readonly<Record<string, string>> } {
  const files = attachments.map(({ media_type, data, name }) => ({ media_type, data, name }));
  return { body: { text, ...(files.length > 0 ? { attachments: files } : {}) }, headers: { 'idempotency-key': key } };
}
