import type { JsonObject } from '../protocol/json.ts';
import { failed } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import type { ToolContext } from './define.ts';
import { sizeText } from './file-kind.ts';

/** Providers refuse a picture whose base64 form is larger than 5 MiB, and with it the whole request. */
const MOST_IMAGE_BYTES = Math.floor((5 * 1024 * 1024) / 4) * 3;
/** Likewise for documents, where requests end at 32 MB. */
const MOST_DOCUMENT_BYTES = 20_000_000;

/** A picture or a PDF that was found somewhere. */
export interface FoundMedia {
  /** What it is called in the result: a path or an address. */
  readonly shown: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
  readonly read: () => Promise<Uint8Array>;
  readonly details?: JsonObject;
}

/** A picture or PDF as a part of the result, where the model takes it. */
export async function readMedia({ shown, size, mediaType, read, details }: FoundMedia, accepts: ToolContext['accepts']): Promise<ToolOutcome> {
  const isDocument = mediaType === 'application/pdf';
  const what = isDocument ? 'PDF document' : 'picture';
  if (!(isDocument ? accepts.documents : accepts.images)) {
    const advice = isDocument ? ' Extract its text with a command, for example pdftotext.' : '';
    return failed(`${shown} is a ${what} (${mediaType}, ${sizeText(size)}), and the model in use does not take any.${advice}`);
  }
  const most = isDocument ? MOST_DOCUMENT_BYTES : MOST_IMAGE_BYTES;
  if (size > most) {
    return failed(`${shown} is a ${what} of ${sizeText(size)}; at most ${sizeText(most)} can be read. Make it smaller first.`);
  }
  const data = Buffer.from(await read()).toString('base64');
  const part = isDocument
    ? { type: 'document' as const, media_type: mediaType, data, name: shown }
    : { type: 'image' as const, media_type: mediaType, data };
  return { status: 'ok', content: [{ type: 'text', text: `${shown} (${mediaType}, ${sizeText(size)})` }, part], ...(details ? { details } : {}) };
}
