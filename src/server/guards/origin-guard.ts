import { refusal } from '../http-error.ts';

/** What is known of where a request comes from. */
export interface RequestOrigin {
  readonly method: string;
  /** Already known to be ours. */
  readonly host: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  /** The browser has sent the credential by itself. */
  readonly byCookie: boolean;
}

const READS = new Set(['GET', 'HEAD']);

/** The refusal of a request that a page of somebody else has made; undefined for others. */
export function refuseForeignOrigin({ method, host, origin, fetchSite, byCookie }: RequestOrigin): Response | undefined {
  if (origin !== undefined && !isSame(origin, host)) return refusal(403, 'origin_refused', `Requests of pages from ${JSON.stringify(origin)} are not taken. Use the page of this server itself.`);
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none' && !READS.has(method)) return refusal(403, 'origin_refused', 'Requests of pages of other sites are not taken. Use the page of this server itself.');
  if (origin === undefined && byCookie && !READS.has(method)) return refusal(403, 'origin_refused', 'A request that changes something and brings the cookie has to say with Origin where it comes from. Programs send the token: Authorization: Bearer TOKEN.');
  return undefined;
}

/** A proxy may have taken the encryption away, so that both schemes fit. */
function isSame(origin: string, host: string): boolean {
  return ['http', 'https'].some((scheme) => origin.toLowerCase() === `${scheme}://${host.toLowerCase()}`);
}
