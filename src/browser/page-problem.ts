import { messageOf } from '../protocol/errors.ts';
import { asData } from '../web/page-outcome.ts';

/** Something that was asked of a page and did not come about; its message is for the model. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem';
}

const NET_ERRORS: Readonly<Record<string, string>> = {
  ERR_NAME_NOT_RESOLVED: 'no address is known for its host',
  ERR_PROXY_CONNECTION_FAILED: 'the way to the network is closed',
  ERR_TUNNEL_CONNECTION_FAILED: 'it cannot be reached, or is refused',
  ERR_CONNECTION_REFUSED: 'nothing answers there',
  ERR_EMPTY_RESPONSE: 'it answered with nothing',
  ERR_ABORTED: 'the page was left before it had come',
  ERR_TOO_MANY_REDIRECTS: 'it redirects without end',
  ERR_UNSAFE_REDIRECT: 'it redirects to an address that pages must not open',
  ERR_INVALID_AUTH_CREDENTIALS: 'it wants a login',
};

/** What a failure of the browser means, in a sentence; undefined for what is none of it. */
export function problemText(error: unknown): string | undefined {
  if (error instanceof PageProblem) return error.message;
  const says = messageOf(error).replaceAll(/\u001b\[[\d;]*m/g, '');
  const net = /net::(ERR_\w+)/.exec(says)?.[1];
  if (net !== undefined) return `The page cannot be opened: ${NET_ERRORS[net] ?? (net.startsWith('ERR_CERT') ? 'its certificate is not valid' : net)}.`;
  const count = /strict mode violation: .* resolved to (\d+) elements/.exec(says)?.[1];
  if (count !== undefined) return `The selector fits ${count} elements. Make it fit one, or take a reference of BrowserSnapshot.`;
  if (/Unknown engine|Unexpected token|is not a valid selector|Malformed|InvalidSelector|parsing selector/i.test(says)) return `The selector is not valid: ${firstLine(says)}`;
  if (/intercepts pointer events/.test(says)) return 'Something lies over the element, such as a dialog or a banner. Take a BrowserSnapshot, and close that first.';
  if (/element is not (?:visible|enabled|stable|editable)/.test(says)) return `The element cannot be used: ${/element is not \w+/.exec(says)?.[0] ?? ''}. Take a BrowserSnapshot to see why.`;
  if (isTimeout(error)) return 'The page has not come so far in time. Take a BrowserSnapshot to see how it stands.';
  return says.startsWith('locator.') || says.startsWith('page.') || says.startsWith('keyboard.') || says.startsWith('elementHandle.') ? `That failed, in the words of the page or the browser:\n${asData('web_error', firstLine(says), {})}` : undefined;
}

/** True where a time-out was the failure. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** True where an element, or the document that it was in, is not there any more. */
export function isDetached(error: unknown): boolean {
  return /not attached to the DOM|was detached|context was destroyed|JSHandle is disposed|frame navigated/i.test(messageOf(error));
}

/** True where the page, or the whole browser, has gone meanwhile. */
export function isGone(error: unknown): boolean {
  return /(?:page, context or browser has been closed|Target closed|Page crashed|Target crashed|Browser closed|browser has been closed|Connection closed)/i.test(messageOf(error));
}

function firstLine(says: string): string {
  return (says.split('\n')[0] ?? '').replace(/^\w+\.\w+: /, '').slice(0, 400);
}
