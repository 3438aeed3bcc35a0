import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ResultPart } from '../protocol/content.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import { never } from '../util/never.ts';

/** Kinds of pictures that models take. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Characters of base64 that one picture may have. */
const MOST_PICTURE = 5_000_000;
/** Parts of one result. */
const MOST_PARTS = 100;

/** What the model takes beside text. */
export interface Accepts {
  readonly images: boolean;
}

/** A result of a server's tool as the model reads it. What the model does not take is named. */
export function outcomeOf({ content, structuredContent, isError }: CallToolResult, accepts: Accepts): ToolOutcome {
  const parts = content.slice(0, MOST_PARTS).map((block) => partOf(block, accepts));
  const left = content.length - parts.length;
  const structured = structuredContent !== undefined && !parts.some(({ type }) => type === 'text') ? [text(JSON.stringify(structuredContent))] : [];
  const all = [...parts, ...structured, ...(left > 0 ? [text(`[${left} more parts of the result are left out]`)] : [])];
  return { status: isError === true ? 'error' : 'ok', content: all.length > 0 ? all : [text(isError === true ? 'It failed and says no more.' : '(no output)')] };
}

/** What a resource holds, in the same way. */
export function resourceParts(contents: readonly ResourceContents[], accepts: Accepts): readonly ResultPart[] {
  return contents.slice(0, MOST_PARTS).map((one) => resourcePart(one, accepts));
}

type ResourceContents = Extract<ContentBlock, { type: 'resource' }>['resource'];

function partOf(block: ContentBlock, accepts: Accepts): ResultPart {
  switch (block.type) {
    case 'text': return text(block.text);
    case 'image': return picture(block.mimeType, block.data, accepts) ?? text(notShown('a picture', block.mimeType, block.data));
    case 'audio': return text(notShown('sound', block.mimeType, block.data));
    case 'resource': return resourcePart(block.resource, accepts);
    case 'resource_link': return text(`Resource ${block.uri}${block.name === '' ? '' : ` (${block.name})`}${block.description === undefined ? '' : `: ${block.description}`}`);
    default: return never(block);
  }
}

function resourcePart(resource: ResourceContents, accepts: Accepts): ResultPart {
  if ('text' in resource) return text(`[${resource.uri}]\n${resource.text}`);
  const kind = resource.mimeType ?? 'application/octet-stream';
  return picture(kind, resource.blob, accepts) ?? text(`[${resource.uri}] ${notShown('data', kind, resource.blob)}`);
}

function picture(mediaType: string, data: string, { images }: Accepts): ResultPart | undefined {
  return images && PICTURES.has(mediaType) && data.length <= MOST_PICTURE && /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? { type: 'image', media_type: mediaType, data } : undefined;
}

function notShown(what: string, mediaType: string, data: string): string {
  return `[${what}, ${mediaType}, ${Math.floor((data.length * 3) / 4)} bytes: it cannot be shown here]`;
}

function text(value: string): ResultPart {
  return { type: 'text', text: value };
}
