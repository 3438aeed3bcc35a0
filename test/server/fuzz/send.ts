import http from 'node:http';
import net from 'node:net';
import type { FuzzRequest } from './make-request.ts';

/** What came back. */
export interface FuzzAnswer {
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const PATIENCE_MS = 60_000;
const MOST_CHARS = 200_000;

/** Sends a request as it is. A stream of events is left when it begins. */
export function send(port: number, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    const isChunked = headers['transfer-encoding'] !== undefined;
    const sent = http.request({ host: '127.0.0.1', port, method, path: path.replaceAll(/[^\u0021-\u00ff]/g, ''), agent: false, setHost: headers['host'] === undefined, timeout: PATIENCE_MS, headers: { ...headers, ...(body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }) } }, (response) => {
      const { statusCode = 0, headers: { 'content-type': type = '' } } = response;
      let text = '';
      const done = (): void => resolve({ status: statusCode, type, text });
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => { text = (text + chunk).slice(0, MOST_CHARS); });
      response.on('end', done);
      response.on('error', done);
      if (type.startsWith('text/event-stream')) {
        done();
        sent.destroy();
      }
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, type: '', text: '' });
    });
    sent.on('timeout', () => reject(new Error(`${method} ${path.slice(0, 200)} was not answered within ${PATIENCE_MS} ms`)));
    // A server that does not want the body may end the connection while it comes.
    sent.on('error', () => resolve({ status: 0, type: '', text: '' }));
    sent.end(body);
  });
}

/** Bytes that are no request, or begin like one. */
export const RAW: readonly string[] = [
  '\r\n\r\n', 'GET\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n',
  'POST /api/login HTTP/1.1\r\nHost: PORT\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX', 'POST /api/login HTTP/1.1\r\nHost: PORT\r\nContent-Length: -1\r\n\r\n', 'POST /api/login HTTP/1.1\r\nHost: PORT\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'GET /health HTTP/1.1\r\nHost: PORT\r\nX: a\u0000b\r\n\r\n',
  `GET /health HTTP/1.1\r\nHost: PORT\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: PORT\r\n\r\n`, '\u0016\u0003\u0001\u0002\u0000\u0001', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n', 'OPTIONS * HTTP/1.1\r\nHost: PORT\r\n\r\n',
  'GET /health HTTP/1.1\nHost: PORT\n\n', 'GET /health HTTP/1.1\r\nHost: PORT\r\n folded: x\r\n\r\n', 'GET // HTTP/1.1\r\nHost: PORT\r\n\r\n', 'GET ? HTTP/1.1\r\nHost: PORT\r\n\r\n', 'get /health HTTP/1.1\r\nHost: PORT\r\n\r\n',
];

/** Sends bytes and gives what comes back until the connection ends, or for so long as it takes to answer. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.end(bytes.replaceAll('PORT', `127.0.0.1:${port}`), 'latin1'));
    socket.setEncoding('utf8').setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('data', (chunk: string) => { text += chunk; });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}
