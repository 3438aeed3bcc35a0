/**
 * The address that a person or a model means: without a scheme it is one of `https:`, on this machine of `http:`, and the
 * place within the page does not count. Undefined for what is no address of the web.
 */
export function pageAddress(given: string): URL | undefined {
  const text = given.trim();
  const scheme = /^(?:\/\/)?(?:localhost|127\.[\d.]+)(?:[:/]|$)/i.test(text) ? 'http' : 'https';
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `${scheme}://${text.replace(/^\/\//, '')}`;
  if (text === '' || !URL.canParse(full)) return undefined;
  const url = new URL(full);
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

/** True where the addresses are of one site: the same host but for `www.`, and the same port or the usual ones. */
export function isSameSite(one: URL, other: URL): boolean {
  const plain = ({ hostname }: URL): string => hostname.replace(/^www\./, '').replace(/\.$/, '');
  return plain(one) === plain(other) && one.port === other.port;
}

/** The same address by `https:`. */
export function asHttps(url: URL): URL {
  const safe = new URL(url);
  safe.protocol = 'https:';
  return safe;
}

/** The address with the place within the page that was given with it. */
export function withPlace(url: URL, given: string): string {
  const at = given.indexOf('#');
  return at < 0 ? url.href : new URL(given.slice(at).trim(), url).href;
}
