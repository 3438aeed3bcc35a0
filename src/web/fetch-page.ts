import { STATUS_CODES } from 'node:http';
import { isIP } from 'node:net';
import type { GuardedFetch, GuardedResponse } from '../egress/guarded-fetch.ts';
import { displayUrl } from '../egress/display-url.ts';
import { asHttps, isSameSite } from '../tools/page-address.ts';
import { cutStart } from '../util/cut-text.ts';
import { VERSION } from '../version.ts';
import { decodePage } from './decode-page.ts';
import { htmlText } from './html-text.ts';
import type { Page, TextPage } from './page.ts';
import { pageKind } from './page-kind.ts';

/** What fetching takes. */
export interface FetchPageOptions {
  readonly fetch: GuardedFetch;
  readonly signal: AbortSignal;
  /** Whether a host may be fetched by `http:`; all others are by `https:`. */
  readonly isListed: (url: URL) => boolean;
  /** Why an address that was not asked for must not be fetched, or nothing. */
  readonly refusal: (url: string) => Promise<string | undefined>;
}

/** Says who asks; some sites answer nobody who does not. */
export const AGENT = `Mozilla/5.0 (compatible; skillmint/${VERSION})`;
const ACCEPT = 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5';
const EXCERPT = 1_000;

/**
 * Fetches a page, with the limits of the guard. Redirects within the same site are followed where rules do not forbid the
 * address; those to another host are told, so that they are decided on like any other. Throws the errors of the guard.
 */
export async function fetchPage(asked: URL, options: FetchPageOptions): Promise<Page> {
  const { fetch, signal, refusal } = options;
  const url = safeForm(asked, options);
  const refused = url.href === asked.href ? undefined : await refusal(url.href);
  if (refused !== undefined) return { kind: 'problem', message: `${displayUrl(asked)} would be fetched by https:, and that is refused: ${refused}.` };
  let stopped: { readonly to: string; readonly why: string } | undefined;
  const response = await fetch(url.href, {
    signal,
    plainHttp: 'listed',
    headers: { accept: ACCEPT, 'user-agent': AGENT },
    redirect: async ({ from, to }) => {
      const next = safeForm(to, options);
      const why = isSameSite(from, next) ? await refusal(next.href) : 'that is another host';
      stopped = why === undefined ? undefined : { to: next.href, why };
      return why === undefined ? next : undefined;
    },
  });
  if (stopped !== undefined) {
    response.cancel();
    return { kind: 'redirect', url: response.url, status: response.status, ...stopped };
  }
  return readPage(response, signal);
}

/** Plain `http:` can be read and changed on the way. Other ports speak one of the two, so that nothing is changed there. */
function safeForm(url: URL, { isListed }: FetchPageOptions): URL {
  const isLocal = isIP(url.hostname) !== 0 || url.hostname.startsWith('[') || /^(?:.*\.)?localhost\.?$/.test(url.hostname);
  return url.protocol === 'http:' && url.port === '' && !isLocal && !isListed(url) ? asHttps(url) : url;
}

async function readPage(response: GuardedResponse, signal: AbortSignal): Promise<Page> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const contentType = response.headers.get('content-type') ?? '';
  const page = await showBytes(bytes, { url: response.url, contentType, signal });
  if (response.ok) return page;
  const status = `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trim();
  const excerpt = page.kind === 'text' ? cutStart(page.text, EXCERPT) : '';
  return { kind: 'problem', message: `${displayUrl(new URL(response.url))} answered with the status ${status}.${adviceOn(response.status)}`, ...(excerpt === '' ? {} : { excerpt }) };
}

function adviceOn(status: number): string {
  if (status === 401 || status === 403) return ' It may want a login, or refuse programs; pages behind a login cannot be fetched.';
  if (status === 404 || status === 410) return ' Check the address.';
  return status === 429 || status >= 500 ? ' Try again later.' : '';
}

async function showBytes(bytes: Uint8Array, { url, contentType, signal }: { readonly url: string; readonly contentType: string; readonly signal: AbortSignal }): Promise<Page> {
  const kind = pageKind(bytes, contentType);
  const where = displayUrl(new URL(url));
  if (kind.kind === 'media') return { kind: 'media', url, mediaType: kind.mediaType, bytes };
  if (kind.kind === 'binary') return { kind: 'problem', message: `${where} is no text (${kind.what}). Download it with a command and use a program that knows the format.` };
  const decoded = decodePage(bytes, contentType);
  if ('unknownCharset' in decoded) return { kind: 'problem', message: `${where} is in the charset ${JSON.stringify(decoded.unknownCharset)}, which is not known, so its text cannot be read.` };
  const notes = decoded.note === undefined ? [] : [decoded.note];
  if (kind.kind === 'text') return { kind: 'text', url, mediaType: kind.mediaType, text: decoded.text, notes };
  return htmlPage(decoded.text, { url, mediaType: kind.mediaType, notes, signal });
}

async function htmlPage(html: string, { url, mediaType, notes, signal }: Pick<TextPage, 'url' | 'mediaType' | 'notes'> & { readonly signal: AbortSignal }): Promise<TextPage> {
  const { title, text, cut } = await htmlText(html, new URL(url), signal);
  const more = cut === undefined ? [] : [`The end of the page is left out: ${cut}.`];
  const empty = text === '' && html.trim() !== '' ? ['The page has no text of its own; it may be made by scripts, which are not run here.'] : [];
  return { kind: 'text', url, mediaType, text, notes: [...notes, ...more, ...empty], ...(title === undefined ? {} : { title }) };
}
