import { TextDecoder } from 'node:util';

/** A page's text, and what is to be said about it; or the name of the charset that nobody knows. */
export type DecodedPage = { readonly text: string; readonly note?: string } | { readonly unknownCharset: string };

/** Where charsets stand in a page. */
const HEAD_BYTES = 4_096;
const LONGEST_NAME = 40;
/** What 0x80 to 0x9f are in Windows-1252. */
const UPPER_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Decodes bytes in the charset of their byte order mark, of the `Content-Type`, or of what the text itself says in its
 * head, in this order; without any as UTF-8 where they are that, else as Windows-1252, which old pages have.
 */
export function decodePage(bytes: Uint8Array, contentType: string): DecodedPage {
  const named = byteOrder(bytes) ?? charsetOf(contentType) ?? charsetInHead(bytes);
  if (named === undefined) return { text: asUtf8(bytes) ?? decodeWith(new TextDecoder('windows-1252'), bytes) };
  const decoder = decoderOf(named);
  if (decoder) return { text: decodeWith(decoder, bytes) };
  const text = asUtf8(bytes);
  const name = named.slice(0, LONGEST_NAME);
  return text === undefined ? { unknownCharset: name } : { text, note: `The page names the charset "${name}", which is not known; it was read as UTF-8.` };
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];
}

function byteOrder([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function charsetInHead(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES));
  const named = /<meta\s[^>]{0,400}?charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(head)?.[1] ?? /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']+)/i.exec(head)?.[1];
  // Whoever could read this far has not read UTF-16.
  return named !== undefined && /^utf-?16/i.test(named) ? 'utf-8' : named;
}

function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Some versions of Node read Windows-1252 as ISO-8859-1; where a version does not, there is nothing to put right. */
function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  return decoder.encoding === 'windows-1252' ? text.replace(/[\u0080-\u009f]/g, (character) => UPPER_1252[character.charCodeAt(0) - 0x80] ?? character) : text;
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
