import type { ExactFile } from '../host/host.ts';
import type { JsonObject } from '../protocol/json.ts';
import { failed } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import type { ToolContext } from './define.ts';
import type { Target } from './file-access.ts';
import { sizeText } from './file-kind.ts';

/** Providers refuse a picture whose base64 form is larger than 5 MiB, and with it the whole request. */
const MOST_IMAGE_BYTES = Math.floor((5 * 1024 * 1024) / 4) * 3;
/** Likewise for documents, where requests end at 32 MB. */
const MOST_DOCUMENT_BYTES = 20_000_000;

/** A picture or PDF as a part of the result, where the model takes it. */
export async function readMedia(
  media: { readonly target: Target; readonly size: number; readonly mediaType: string; readonly stamps: JsonObject },
  context: ToolContext,
): Promise<ToolOutcome> {
  const { target, size, mediaType } = media;
  const isDocument = mediaType === 'application/pdf';
  const what = isDocument ? 'PDF document' : 'picture';
  if (!(isDocument ? context.accepts.documents : context.accepts.images)) {
    const advice = isDocument ? ' Extract its text with a command, for example pdftotext.' : '';
    return failed(`${target.shown} is a ${what} (${mediaType}, ${sizeText(size)}), and the model in use does not take any.${advice}`);
  }
  const most = isDocument ? MOST_DOCUMENT_BYTES : MOST_IMAGE_BYTES;
  if (size > most) {
    return failed(`${target.shown} is a ${what} of ${sizeText(size)}; at most ${sizeText(most)} can be read. Make it smaller first.`);
  }
  const data = await base64Of(target.file);
  const part = isDocument
    ? { type: 'document' as const, media_type: mediaType, data, name: target.shown }
    : { type: 'image' as const, media_type: mediaType, data };
  return { status: 'ok', content: [{ type: 'text', text: `${target.shown} (${mediaType}, ${sizeText(size)})` }, part], details: { stamps: media.stamps } };
}

async function base64Of(file: ExactFile): Promise<string> {
  return Buffer.from(await file.read()).toString('base64');
}
