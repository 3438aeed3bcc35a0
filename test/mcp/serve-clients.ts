import fs from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { start, type Place, type Running } from '../e2e/program.ts';

/** The program, as clients start it. */
export const SERVE = [path.resolve('dist/cli.js'), 'mcp', 'serve'] as const;
/** How a client speaks: as those of the newest revision, or as those of before. */
export const ERAS = ['modern', 'legacy'] as const;
export type Era = (typeof ERAS)[number];

export interface WrittenSkill {
  /** Further lines of the frontmatter. */
  readonly head?: string;
  readonly body?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** The person's own, and so trusted; the project's otherwise. */
  readonly own?: boolean;
}

/** Writes a skill; gives its folder. */
export function writeSkill({ data, project }: Place, name: string, { head = '', body = 'Say good day to $ARGUMENTS.', files = {}, own = true }: WrittenSkill = {}): string {
  const folder = path.join(own ? data : path.join(project, '.skillmint'), 'skills', name);
  const all: Readonly<Record<string, string>> = { 'SKILL.md': `---\nname: ${name}\ndescription: Does the work of ${name} for guests.\n${head}---\n${body}\n`, ...files };
  for (const [file, text] of Object.entries(all)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text, { mode: 0o755 });
  }
  return folder;
}

/** A form that a client has shown. */
export interface Asked {
  readonly message: string;
  readonly answers: unknown;
}

/** What the person of a client says to forms. */
export interface PersonAnswer {
  readonly action: 'accept' | 'decline';
  readonly content?: { readonly answer: string };
}

export interface Opened {
  readonly client: Client;
  readonly asked: readonly Asked[];
}

export interface OpenClient {
  readonly era: Era;
  /** Without it the client knows no forms. */
  readonly answer?: PersonAnswer | undefined;
  /** Is told when the server says that the list of resources has changed. */
  readonly onResources?: () => void;
}

function makeClient({ era, answer, onResources }: OpenClient): { readonly client: Client; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const listChanged: ClientOptions['listChanged'] = onResources ? { resources: { autoRefresh: false, debounceMs: 0, onChanged: onResources } } : undefined;
  const client = new Client({ name: 'test', version: '1' }, { capabilities: answer ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' }, ...(listChanged ? { listChanged } : {}) });
  if (answer) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push({ message: params.message, answers: 'requestedSchema' in params ? params.requestedSchema.properties : undefined });
      return { action: answer.action, ...(answer.content ? { content: { ...answer.content } } : {}) };
    });
  }
  return { client, asked };
}

/** A client that has started the program. It ends with the test. */
export async function overStdio(place: Place, options: OpenClient): Promise<Opened & { readonly transport: StdioClientTransport; readonly stderr: () => string }> {
  const { client, asked } = makeClient(options);
  const transport = new StdioClientTransport({ command: process.execPath, args: [...SERVE], env: { ...place.env }, cwd: place.project, stderr: 'pipe' });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => { said += chunk.toString(); });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, asked, transport, stderr: () => said };
}

/** The program as it serves HTTP. */
export interface HttpServed extends Running {
  readonly url: URL;
  readonly token: string;
}

/** Starts the program on a free port. It ends with the test. */
export function startHttp(place: Place): Promise<HttpServed> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const running = start(place, ['mcp', 'serve', '--http', '--port', '0', '--json'], {
      onLine: (line) => {
        printed += line;
        if (line !== '}') return;
        const { url, token } = JSON.parse(printed);
        resolve({ ...running, url: new URL(url), token });
      },
    });
    running.ended.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
}

/** A client of it with the token. */
export async function overHttp({ url, token }: HttpServed, { fetch = globalThis.fetch, ...options }: OpenClient & { readonly fetch?: typeof globalThis.fetch }): Promise<Opened> {
  const opened = makeClient(options);
  await opened.client.connect(new StreamableHTTPClientTransport(url, { fetch, requestInit: { headers: { authorization: `Bearer ${token}` } } }));
  onTestFinished(() => opened.client.close());
  return opened;
}

/** The joined texts of a result. */
export function textOf(result: { readonly content?: unknown }): string {
  return Array.isArray(result.content) ? result.content.map((part: { readonly text?: string }) => part.text ?? '').join('') : '';
}

/** Calls a tool. */
export async function call({ client }: Pick<Opened, 'client'>, name: string, input: Record<string, unknown>): Promise<{ readonly text: string; readonly isError: boolean }> {
  const result = await client.callTool({ name, arguments: input });
  return { text: textOf(result), isError: result.isError === true };
}

/** Addresses of the person's own skills. */
export function ofPerson(all: readonly { readonly uri: string }[]): readonly string[] {
  return all.map(({ uri }) => uri).filter((uri) => uri.startsWith('skill://user/'));
}

/** The same as the server lists them now. */
export async function listed(client: Client): Promise<readonly string[]> {
  return ofPerson((await client.listResources()).resources);
}
