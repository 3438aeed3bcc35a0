import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { McpServerForm } from '../../src/protocol/mcp.ts';

/** Code that serves what `make` makes over stdio, or with `PORT` over HTTP through `handler`. */
const SERVE = `\
if (process.env.PORT === undefined) serveStdio(make, { legacy: 'reject' });
else {
  handler = createMcpHandler(make, { legacy: 'reject' });
  http.createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const answer = await handler.fetch(new Request('http://127.0.0.1:' + process.env.PORT + incoming.url, { method: incoming.method, headers: incoming.headers, ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}) }));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body).pipe(outgoing);
    else outgoing.end();
  }).listen(Number(process.env.PORT), '127.0.0.1', () => console.error('listening'));
}
`;

/** A server of the package, as a program of the settings. */
export function realServer(name: 'everything' | 'filesystem', ...args: readonly string[]): McpServerForm {
  return { command: process.execPath, args: [programOf(name), ...args] };
}

function programOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return path.join(path.dirname(manifest), 'dist/index.js');
}

/** The real server over HTTP on loopback; resolves to its address. */
export async function everythingOverHttp(form: 'streamableHttp' | 'sse'): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  return overHttp([programOf('everything'), form], form === 'sse' ? 'sse' : 'mcp');
}

/** A program of Node that listens on `PORT`. */
export async function overHttp(args: readonly string[], place: string): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = spawn(process.execPath, args, { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer): void => { if (/listening|running|port/i.test(chunk.toString())) resolve(); };
    child.stderr.on('data', look);
    child.stdout.on('data', look);
    child.on('exit', () => reject(new Error('the server ended')));
  });
  return { url: `http://127.0.0.1:${port}/${place}`, process: child };
}

/**
 * A small server over stdio that a test writes: `tools` as they are listed, `call` the body of an async function of
 * `(name, input, api)`; `head` runs first, `first` and `more` before and after the usual answers. It answers initialize as servers of the revision 2025-06-18 do.
 */
export function ownServer(folder: string, given: { readonly tools?: readonly object[]; readonly call?: string; readonly head?: string; readonly name?: string; readonly capabilities?: object; readonly more?: string }, first = ''): McpServerForm {
  const file = path.join(folder, `${given.name ?? 'server'}-${Math.random().toString(36).slice(2)}.mjs`);
  const tools = given.tools ?? [{ name: 'work', description: 'Does the work.', inputSchema: { type: 'object', properties: {} } }];
  fs.writeFileSync(file, `
import readline from 'node:readline';
import fs from 'node:fs';
${given.head ?? ''}
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tools = ${JSON.stringify(tools)};
const call = async (name, input, api) => { ${given.call ?? "return { content: [{ type: 'text', text: 'done' }] };"} };
readline.createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  ${first}
  if (method === 'initialize') return send({ id, result: { protocolVersion: '2025-06-18', capabilities: ${JSON.stringify(given.capabilities ?? { tools: {} })}, serverInfo: { name: 'own', version: '1' } } });
  if (method === 'ping') return send({ id, result: {} });
  if (method === 'tools/list') return send({ id, result: { tools } });
  if (method === 'tools/call') return send({ id, result: await call(params.name, params.arguments, { id, send, params }) });
  ${given.more ?? ''}
  if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
});
`);
  return { command: process.execPath, args: [file] };
}

/** Process ids that a server has written into a file, one a line. */
export function pidsIn(file: string): readonly number[] {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !fs.existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Resolves when the condition holds; rejects after 10 s. */
export async function until(holds: () => boolean, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it did not come to that in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A server of the newest revision alone, made with the official library: over stdio, or with `PORT` over HTTP. It offers `skills` (path → text), whose files are then replaced by `tampered`. */
export function newestServer(folder: string, skills: Readonly<Record<string, string>> = {}, tampered: Readonly<Record<string, string>> = {}): McpServerForm {
  const from = (name: string): string => JSON.stringify(createRequire(import.meta.url).resolve(`@modelcontextprotocol/server${name}`));
  const file = path.join(folder, 'newest.mjs');
  fs.writeFileSync(file, `
import http from 'node:http';
import { Readable } from 'node:stream';
import { McpServer, createMcpHandler, fromJsonSchema } from ${from('')};
import { serveStdio } from ${from('/stdio')};
import { SkillCatalog, memorySkillFiles } from ${from('/ext/skills')};
const skills = ${JSON.stringify(skills)};
const catalog = Object.keys(skills).length > 0 ? await SkillCatalog.load(memorySkillFiles(skills)) : undefined;
if (catalog) Object.assign(skills, ${JSON.stringify(tampered)});
let handler;
const make = () => {
  const server = new McpServer({ name: 'newest', version: '3' }, { capabilities: { tools: {} } });
  server.registerTool('add', { description: 'Adds two numbers.', inputSchema: fromJsonSchema({ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }) }, async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
  catalog?.attach(server);
  return server;
};
${SERVE}`);
  return { command: process.execPath, args: [file] };
}

/** A server of the newest revision alone over stdio, or with `PORT` over HTTP; `code` adds to `server`, with `text` for results and what the official library exports. */
export function libraryServer(folder: string, code: string): McpServerForm {
  const from = (name: string): string => JSON.stringify(createRequire(import.meta.url).resolve(`@modelcontextprotocol/server${name}`));
  const file = path.join(folder, `library-${Math.random().toString(36).slice(2)}.mjs`);
  fs.writeFileSync(file, `
import fs from 'node:fs';
import http from 'node:http';
import { Readable } from 'node:stream';
import { McpServer, createMcpHandler, inputRequired, fromJsonSchema } from ${from('')};
import { serveStdio } from ${from('/stdio')};
const text = (value) => ({ content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] });
const none = fromJsonSchema({ type: 'object', properties: {} });
let handler;
const make = () => {
  const server = new McpServer({ name: 'asking', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  ${code}
  return server;
};
${SERVE}`);
  return { command: process.execPath, args: [file] };
}
