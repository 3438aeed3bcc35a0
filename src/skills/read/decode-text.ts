import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { info, warning } from './diagnostic.ts';

/** A file as text: no byte order mark, `\n` line ends, no NUL. */
export interface DecodedText {
  readonly text: string;
  readonly diagnostics: readonly SkillDiagnostic[];
}

const UTF8_BOM = '\ufeff';

/** Bytes of a file as clean text; whatever had to be cleaned is a diagnostic. Never throws. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const diagnostics: SkillDiagnostic[] = [];
  const { text: raw, encoding } = decodeBytes(bytes);
  if (encoding !== 'utf-8') diagnostics.push(warning('encoding', `the file is not UTF-8; it was read as ${encoding}`, 'save the file as UTF-8'));
  let text = raw;
  if (text.startsWith(UTF8_BOM)) {
    text = text.slice(1);
    diagnostics.push(info('byte-order-mark', 'the file starts with a byte order mark', 'save the file without a byte order mark'));
  }
  if (text.includes('\r')) {
    text = text.replace(/\r\n?/g, '\n');
    diagnostics.push(info('line-ends', 'the file has Windows or old Mac line ends', 'save the file with LF line ends'));
  }
  if (text.includes('\0')) {
    text = text.replaceAll('\0', ' ');
    diagnostics.push(warning('nul-character', 'the file holds NUL characters; they were read as spaces', 'remove the NUL characters'));
  }
  return { text, diagnostics };
}

/** Bytes of a file as text in the encoding that it seems to have, with everything that is in it. `lossy` when some bytes are no characters. */
export function decodeBytes(bytes: Uint8Array): { readonly text: string; readonly encoding: string; readonly lossy: boolean } {
  const wide = wideEncoding(bytes);
  if (wide) return { text: new TextDecoder(wide).decode(bytes), encoding: wide, lossy: false };
  const utf8 = tryDecode(bytes, 'utf-8');
  if (utf8 !== undefined) return { text: utf8, encoding: 'utf-8', lossy: false };
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (mostlyUtf8(lenient)) return { text: lenient, encoding: 'UTF-8 with broken characters', lossy: true };
  const chinese = looksDoubleByte(bytes) ? tryDecode(bytes, 'gb18030') : undefined;
  if (chinese !== undefined) return { text: chinese, encoding: 'gb18030', lossy: false };
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252', lossy: false };
}

function tryDecode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** UTF-16 by its mark, or by the zero bytes that plain English text has in it. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const seen = Math.min(bytes.length, 512) & ~1;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < seen; i += 2) {
    if (bytes[i] === 0) even += 1;
    if (bytes[i + 1] === 0) odd += 1;
  }
  const most = seen * 0.35;
  if (seen >= 8 && odd >= most && even === 0) return 'utf-16le';
  if (seen >= 8 && even >= most && odd === 0) return 'utf-16be';
  return undefined;
}

/** More characters outside ASCII were whole than broken. */
function mostlyUtf8(text: string): boolean {
  let whole = 0;
  let broken = 0;
  for (const char of text) {
    if (char === '\ufffd') broken += 1;
    else if (char > '\u007f') whole += 1;
  }
  return whole > broken;
}

/** Bytes above ASCII come in runs, and in runs of even length, as they do in Chinese double-byte text. */
function looksDoubleByte(bytes: Uint8Array): boolean {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const start = i;
    while ((bytes[i] ?? 0) >= 0x80) i += 1;
    const length = i - start;
    if (length === 0) continue;
    if (length % 2 === 0) even += length;
    else odd += 1;
  }
  return even > 4 * odd;
}
