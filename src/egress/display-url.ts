/** An address for messages: without name and password, and without the query, which may hold a token. */
export function displayUrl(url: URL): string {
  const where = url.host === '' ? url.protocol : `${url.protocol}//${url.host}${url.pathname}`;
  return where.length > 200 ? `${where.slice(0, 199)}…` : where;
}
