import { isObject } from '../../../src/protocol/json.ts';
import type { Random } from './random.ts';
import { brokenBody, valueOf } from './values.ts';

/** An operation of the document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Readonly<Record<string, unknown>>[];
  /** Media type → schema. */
  readonly bodies: Readonly<Record<string, unknown>>;
}

/** What requests can be about: real ids, and what lets in. */
export interface Known {
  readonly ids: Readonly<Record<string, readonly string[]>>;
  readonly token: string;
  readonly cookie: string;
  readonly port: number;
  readonly folder: string;
}

/** A request to be sent. */
export interface FuzzRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** It brings what lets in. */
  readonly isLet: boolean;
}

const WRONG = [0, 0, 0, 15, 15, 60] as const;
const TRICKS = ['..%2f..%2fetc%2fpasswd', '%2e%2e/%2e%2e/etc/passwd', '%252e%252e%252f', '..%5c..%5c', '%00', '%', '%zz', '%c0%ae%c0%ae/', '%ff', '//etc/passwd', '/etc/passwd', '....//', ';/..', '%E2%80%AE', 'a%0d%0aset-cookie:x', 'x'.repeat(4_000), '?', '#', '%2f', '.'];
const METHODS = ['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PUT', 'DELETE', 'PATCH', 'GET', 'POST'];
const TYPES = ['application/json', 'application/json; charset=utf-16', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/zip', '', 'application/vnd.x+json', 'x'.repeat(200)];

/** The operations of the document of a server. */
export function operationsOf(document: Readonly<Record<string, unknown>>): readonly Operation[] {
  return Object.entries(isObject(document['paths']) ? document['paths'] : {}).flatMap(([path, methods]) => Object.entries(isObject(methods) ? methods : {}).map(([method, operation]) => {
    const { parameters, requestBody } = isObject(operation) ? operation : {};
    const content = isObject(requestBody) && isObject(requestBody['content']) ? requestBody['content'] : {};
    return { method: method.toUpperCase(), path, parameters: Array.isArray(parameters) ? parameters.filter(isObject) : [], bodies: Object.fromEntries(Object.entries(content).map(([type, of]) => [type, isObject(of) ? of['schema'] : {}])) };
  }));
}

/** A request that is right, nearly right or broken. */
export function makeRequest(operation: Operation, known: Known, random: Random): FuzzRequest {
  const wrong = random.one(WRONG);
  const method = random.percent(4) ? random.one(METHODS) : operation.method;
  const path = pathOf(operation, known, { wrong, random });
  const { headers: of, isLet } = credential(known, random);
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';
  const { body, type } = hasBody ? bodyOf(operation, { wrong, random, known }) : { body: undefined, type: undefined };
  return { operation, method, path, body, isLet, headers: { ...(type === undefined ? {} : { 'content-type': type }), ...of, ...junk(random) } };
}

function pathOf({ path, parameters }: Operation, { ids, folder }: Known, { wrong, random }: { readonly wrong: number; readonly random: Random }): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    if (random.percent(wrong)) return random.percent(50) ? random.one(TRICKS) : encoded(String(valueOf({ type: 'string' }, random, { wrong: 0 })));
    // It would show the folder on the machine of whoever runs this.
    if (path.endsWith('/open')) return 'user:none';
    const kind = path.includes('/skills/{id}') && name === 'id' ? 'skill' : name === 'id' ? 'session' : name;
    return encoded(random.one(ids[kind] ?? ['none']));
  });
  const query = parameters.filter((one) => one['in'] === 'query' && random.percent(30)).map(({ name, schema }) => {
    const value = name === 'cwd' && random.percent(70) ? folder : String(valueOf(schema, random, { wrong, name: String(name) }));
    return `${encoded(String(name))}=${random.percent(wrong) ? random.one(TRICKS).replaceAll('#', '') : encoded(value)}`;
  });
  if (random.percent(wrong / 4)) query.push(random.one(['more=1', '=', '&&', 'cwd=a&cwd=b', '__proto__=x', 'cwd[]=x']));
  return `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** A text that has half a character cannot be encoded; it is sent as the sign for that. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

function bodyOf({ bodies }: Operation, { wrong, random, known }: { readonly wrong: number; readonly random: Random; readonly known: Known }): { readonly body: string | Buffer | undefined; readonly type: string | undefined } {
  const types = Object.keys(bodies);
  if (random.percent(wrong / 2)) return { body: brokenBody(random), type: random.one([...TYPES, 'application/json', 'application/json']) };
  if (types.length === 0) return random.percent(70) ? { body: undefined, type: undefined } : { body: '{}', type: 'application/json' };
  const type = random.one(types);
  if (type !== 'application/json') return { body: random.percent(50) ? Buffer.from('PK\u0003\u0004 no zip') : brokenBody(random), type };
  const value = valueOf(bodies[type], random, { wrong });
  const body = isObject(value) && 'cwd' in value && random.percent(70) ? { ...value, cwd: known.folder } : value;
  return { body: JSON.stringify(body), type: random.percent(wrong / 4) ? random.one(TYPES) : type };
}

function credential({ token, cookie, port }: Known, random: Random): { readonly headers: Readonly<Record<string, string>>; readonly isLet: boolean } {
  const origin = { origin: `http://127.0.0.1:${port}` };
  if (random.percent(70)) return { headers: { authorization: `Bearer ${token}` }, isLet: true };
  if (random.percent(40)) return { headers: { cookie, ...(random.percent(80) ? origin : {}) }, isLet: true };
  return { isLet: false, headers: random.one([{}, {}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${Buffer.from(`owner:${token}`).toString('base64')}` }, { authorization: token }, { cookie: `${cookie}x` }, { cookie: cookie.replace(/=.*/, '=..') }, { 'x-remote-user': 'root', 'x-forwarded-for': '127.0.0.1' }, { authorization: 'Bearer' }, { cookie: '=;;=' }]) };
}

function junk(random: Random): Readonly<Record<string, string>> {
  if (!random.percent(12)) return {};
  return random.one([
    { origin: 'http://evil.test' }, { host: 'evil.test' }, { 'last-event-id': 'x' }, { 'last-event-id': '99999999999999999999' }, { 'idempotency-key': 'a b\u00e9' }, { 'idempotency-key': 'k'.repeat(300) }, { 'idempotency-key': 'same' }, { accept: 'x'.repeat(3_000) },
    { 'content-encoding': 'gzip' }, { expect: '100-continue' }, { 'x-http-method-override': 'DELETE' }, { 'sec-fetch-site': 'cross-site' }, { 'accept-encoding': 'br' }, { range: 'bytes=0-1' }, { 'if-none-match': '*' }, { upgrade: 'websocket', connection: 'Upgrade' }, { 'transfer-encoding': 'chunked' },
  ]);
}
