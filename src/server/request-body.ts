import { SkillmintError } from '../protocol/errors.ts';
import { parseJson, type Json } from '../protocol/json.ts';

/** What a JSON body may weigh where a route says nothing, bytes. */
export const USUAL_BODY = 1_048_576;

/** The body of a request. @throws SkillmintError output_limit when it is larger than `most` bytes, interrupted when the client went away */
export async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most);
  try {
    return await wholeOf(request.body ?? [], most);
  } catch (error) {
    if (error instanceof SkillmintError || !request.signal.aborted) throw error;
    throw new SkillmintError('interrupted', 'The connection ended before the whole body was there.', { cause: error });
  }
}

async function wholeOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The JSON of a request; `{}` where there is no body. @throws SkillmintError invalid_argument, output_limit */
export async function readJson(request: Request, most: number): Promise<Json> {
  const bytes = await readBytes(request, most);
  if (bytes.byteLength === 0) return {};
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) throw new SkillmintError('invalid_argument', `The body must be JSON with the header content-type: application/json, not ${JSON.stringify(type)}.`);
  const value = parseJson(decode(bytes));
  if (value === undefined) throw new SkillmintError('invalid_argument', 'The body is no valid JSON.');
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new SkillmintError('invalid_argument', 'The body is no valid UTF-8.', { cause: error });
  }
}

function tooLarge(most: number): SkillmintError {
  return new SkillmintError('output_limit', `The body is larger than ${most < 1_048_576 ? `${most} bytes` : `${Math.floor(most / 1_048_576)} MiB`}, which is the most that is taken here.`);
}
