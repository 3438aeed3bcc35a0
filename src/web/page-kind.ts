import { fileKind, SAMPLE_BYTES, sizeText } from '../tools/file-kind.ts';

/** What the bytes of an answer are. */
export type PageKind =
  | { readonly kind: 'html' | 'text'; readonly mediaType: string }
  | { readonly kind: 'media'; readonly mediaType: string }
  | { readonly kind: 'binary'; readonly what: string };

/**
 * Judges an answer: pictures, documents and programs by their bytes, whatever the `Content-Type` says; text by its type,
 * and where that says nothing of use by how it begins.
 */
export function pageKind(bytes: Uint8Array, contentType: string): PageKind {
  const declared = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  // UTF-16 without a mark looks like a program.
  const isWide = /charset\s*=\s*"?(?:utf-16|utf-32|ucs-2|unicode)/i.test(contentType);
  const kind = fileKind(bytes.subarray(0, SAMPLE_BYTES));
  if (kind.kind === 'image') return { kind: 'media', mediaType: kind.mediaType };
  if (kind.kind === 'pdf') return { kind: 'media', mediaType: 'application/pdf' };
  if (kind.kind === 'binary' && !isWide) return { kind: 'binary', what: `${kind.name === 'unknown type' ? declared || 'of a type that is not known' : kind.name}, ${sizeText(bytes.length)}` };
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(declared)) return { kind: 'html', mediaType: declared };
  if (/^(?:image|audio|video|font)\//.test(declared) && !declared.startsWith('image/svg') && !beginsLikeHtml(bytes)) return { kind: 'binary', what: `${declared}, ${sizeText(bytes.length)}` };
  const saysText = declared.startsWith('text/') || /[/+](?:json|xml|yaml|toml|javascript|x-ndjson|x-sh|svg)/.test(declared);
  if (!saysText && beginsLikeHtml(bytes)) return { kind: 'html', mediaType: 'text/html' };
  return { kind: 'text', mediaType: declared === '' || declared === 'application/octet-stream' ? 'text/plain' : declared };
}

function beginsLikeHtml(bytes: Uint8Array): boolean {
  return /^(?:\ufeff|ï»¿)?\s*(?:<!--[\s\S]{0,400}?-->\s*)?<(?:!doctype\s+html|html|head|body|title)[\s>]/i.test(new TextDecoder('latin1').decode(bytes.subarray(0, 1_000)));
}
