import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { PersonItem } from '../../protocol/transcript/transcript.ts';

/** What a person has sent, as an editor shows it again. */
export function personChunks({ text, attachments }: PersonItem): readonly ContentBlock[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...attachments.map((part): ContentBlock => {
      if (part.type === 'image') return { type: 'image', mimeType: part.media_type, data: part.data };
      return { type: 'resource', resource: { uri: `attachment:${encodeURIComponent(part.name ?? 'document')}`, mimeType: part.media_type, blob: part.data } };
    }),
  ];
}
