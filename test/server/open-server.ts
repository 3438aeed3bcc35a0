import http from 'node:http';
import { onTestFinished } from 'vitest';
import { serve, type RunningServer } from '../../src/server/serve.ts';
import type { ServeOptions } from '../../src/server/serve-options.ts';
import type { Model } from '../../src/model/model.ts';
import type { SettingsFile } from '../../src/config/settings.ts';
import { createRuntime } from '../../src/runtime/create-runtime.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { makePlace, type Place } from '../runtime/open.ts';

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; an empty object where it is no JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** What is sent; a body that is no text or bytes goes as JSON. */
export interface Asked {
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: unknown;
}

/** A server in this process, with those who ask it. */
export interface TestServer {
  readonly place: Place;
  readonly runtime: Runtime;
  readonly server: RunningServer;
  readonly port: number;
  /** Everything that was told beside requests. */
  readonly log: readonly string[];
  /** Asks with the token. */
  ask(method: string, path: string, asked?: Asked): Promise<Answer>;
  /** Asks without. */
  bare(method: string, path: string, asked?: Asked): Promise<Answer>;
  close(): Promise<void>;
}

export interface OpenServer extends Partial<Pick<ServeOptions, 'allowHosts' | 'env' | 'roots'>> {
  readonly place?: Place;
  readonly settings?: SettingsFile;
}

/** Starts a server on a free port of loopback, with this model. It ends with the test. */
export async function openServer(model: Model, { place = makePlace(), settings = {}, allowHosts = [], env = {}, roots = [place.project] }: OpenServer = {}): Promise<TestServer> {
  const log: string[] = [];
  const runtime = await createRuntime({ service: true, model, env: { PATH: process.env['PATH'] ?? '', HOME: place.home, LANG: 'C.UTF-8' }, home: place.home, dataFolder: place.data, settings: { sandbox: 'off', permissions: { mode: 'unrestricted' }, ...settings } });
  onTestFinished(() => runtime.close());
  const server = await serve({ runtime, offers: 'everything', dataFolder: place.data, env, host: '127.0.0.1', port: 0, allowHosts, roots, workers: 4, log: (line) => log.push(line) });
  const port = Number(new URL(server.url).port);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close().then(() => runtime.close()));
  onTestFinished(close);
  const bare: TestServer['bare'] = (method, at, asked = {}) => request(port, method, at, asked);
  return { place, runtime, server, port, log, close, bare, ask: (method, at, asked = {}) => bare(method, at, { ...asked, headers: { authorization: `Bearer ${server.token}`, ...asked.headers } }) };
}

/** One request; the path is sent as it is. */
export function request(port: number, method: string, at: string, { headers = {}, body }: Asked): Promise<Answer> {
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : body === undefined ? undefined : JSON.stringify(body);
  const type = body === undefined || payload === body ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port, method, path: at, agent: false, headers: { ...type, ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }), ...headers }, setHost: headers['host'] === undefined }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: objectOf(text) });
      });
    });
    sent.on('error', reject);
    sent.end(payload);
  });
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** An event of a stream. */
export interface Streamed {
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads events until one fits, and ends the connection. */
export function readEvents({ port, server }: { readonly port: number; readonly server: { readonly token: string } }, at: string, { headers = {}, until }: { readonly headers?: http.OutgoingHttpHeaders; readonly until: (event: Streamed, all: readonly Streamed[]) => boolean }): Promise<readonly Streamed[]> {
  return new Promise((resolve, reject) => {
    const events: Streamed[] = [];
    let rest = '';
    const sent = http.get({ host: '127.0.0.1', port, path: at, agent: false, headers: { authorization: `Bearer ${server.token}`, ...headers } }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (data === undefined) continue;
          const event = { id: /^id: (.*)$/m.exec(block)?.[1], data: objectOf(data) };
          events.push(event);
          if (until(event, events)) {
            sent.destroy();
            resolve(events);
            return;
          }
        }
      });
      response.on('end', () => resolve(events));
      response.on('error', () => resolve(events));
    });
    sent.on('error', (error) => (events.length > 0 ? resolve(events) : reject(error)));
  });
}
