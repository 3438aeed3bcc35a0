import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { onTestFinished } from 'vitest';
import type { SettingsFile } from '../../src/config/settings.ts';
import { isObject } from '../../src/protocol/json.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { sqliteSessions } from '../../src/sessions/sqlite-sessions.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { startFakeProvider, type FakeProvider, type FakeProviderOptions } from '../../src/testing/fake-provider/server.ts';

const PROGRAM = path.resolve('dist/cli.js');

/** Flags of most runs: the model of `configure`, nothing asks, commands run bare. */
export const MODEL = ['--model', 'fake/m'] as const;
export const FREE = [...MODEL, '--permission-mode', 'unrestricted', '--sandbox', 'off'] as const;

/** With CI=true a missing bubblewrap is a failure, not a reason to skip. */
export const withoutBubblewrap = !fs.existsSync('/usr/bin/bwrap') && process.env['CI'] !== 'true';

/** Becoming another user and mounting need root; nobody else can be told to become it, CI neither. */
export const withoutRoot = process.getuid?.() !== 0;

/** A machine of its own below a temporary folder. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly data: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How the program ended and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Text for standard input, which then ends; nothing is sent and it ends at once when left out. */
  readonly input?: string;
  /** Called for every complete line of standard output. */
  readonly onLine?: (line: string, index: number) => void;
  /** Called with all of standard error so far. */
  readonly onError?: (text: string) => void;
  readonly spawn?: SpawnOptions;
  /** Runs this instead; the program and its arguments follow. */
  readonly through?: readonly string[];
}

/** A fresh home, data folder and project that are removed when the test ends. */
export function makePlace(): Place {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-e2e-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  const home = path.join(root, 'home');
  const data = path.join(home, '.skillmint');
  const project = path.join(root, 'project');
  const tmp = path.join(root, 'tmp');
  for (const folder of [data, project, tmp]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: home, SKILLMINT_HOME: data, TMPDIR: tmp, LANG: 'C.UTF-8', TERM: 'dumb', USER: 'tester' };
  return { root, home, data, project, env };
}

/** Writes the person's settings. */
export function writeSettings(place: Place, settings: SettingsFile | string): string {
  const file = path.join(place.data, 'config.json');
  fs.writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings, null, 2), { mode: 0o600 });
  return file;
}

/** Starts a fake provider and makes it the model `fake/m` of the place. */
export async function withProvider(place: Place, options: FakeProviderOptions & { readonly settings?: SettingsFile; readonly api?: 'anthropic' | 'openai-chat' | 'openai-responses' } = {}): Promise<FakeProvider> {
  const { settings = {}, api = 'openai-chat', ...rest } = options;
  const started = await startFakeProvider({ strictPairing: true, ...rest });
  let closing: Promise<void> | undefined;
  const provider: FakeProvider = { ...started, close: () => (closing ??= started.close()) };
  onTestFinished(() => provider.close());
  writeSettings(place, {
    ...settings,
    providers: { fake: { api, baseUrl: provider.url, apiKey: 'sk-fake-key', models: [{ id: 'm', contextWindow: 200_000, maxOutput: 8_000, images: true, price: { input: 1, output: 10 } }] }, ...settings.providers },
  });
  return provider;
}

/** Node and the built program. */
export function programArgv(): readonly string[] {
  if (!fs.existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: build the program first (npm run build)`);
  return [process.execPath, PROGRAM];
}

/** Starts the built program in the place. */
export function start(place: Place, args: readonly string[], options: StartOptions = {}): Running {
  const argv = [...(options.through ?? []), ...programArgv(), ...args];
  const child = spawn(argv[0] ?? '', argv.slice(1), {
    cwd: options.cwd ?? place.project,
    env: { ...place.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    ...options.spawn,
  });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) killGroup(child, 'SIGKILL');
  });
  return { child, ended: collect(child, options) };
}

/** Runs the built program to its end. */
export function run(place: Place, args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  return start(place, args, options).ended;
}

function collect(child: ChildProcess, options: StartOptions): Promise<Ended> {
  const text = { stdout: '', stderr: '' };
  const lines = lineReader(options.onLine);
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text.stdout += chunk;
    lines(chunk);
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text.stderr += chunk;
    options.onError?.(text.stderr);
  });
  // The program may end before it reads its input.
  child.stdin?.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
  });
  child.stdin?.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...text }));
  });
}

function lineReader(onLine: StartOptions['onLine']): (chunk: string) => void {
  let rest = '';
  let count = 0;
  return (chunk) => {
    rest += chunk;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      onLine?.(rest.slice(0, end), count++);
      rest = rest.slice(end + 1);
    }
  };
}

export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** An event as the program prints it. */
export interface Printed {
  readonly type: string;
  readonly session_id: string;
  readonly time: string;
  readonly seq?: number;
  readonly [field: string]: unknown;
}

/** The events of `--output stream-json` or of an export; a last line that was cut by a kill is left out. */
export function eventsOf(text: string): readonly Printed[] {
  return text.slice(0, text.lastIndexOf('\n') + 1).split('\n').filter(Boolean).map((line) => {
    const value: unknown = JSON.parse(line);
    if (!isPrinted(value)) throw new Error(`no event: ${line}`);
    return value;
  });
}

function isPrinted(value: unknown): value is Printed {
  return isObject(value) && typeof value['type'] === 'string' && typeof value['session_id'] === 'string' && typeof value['time'] === 'string';
}

/** The only session that the events speak of. */
export function sessionOf(events: readonly Printed[]): string {
  const [first] = events;
  if (!first) throw new Error('there are no events');
  return first.session_id;
}

/** The stored events of a session. */
export async function exported(place: Place, session: string): Promise<readonly Printed[]> {
  const { code, stdout, stderr } = await run(place, ['sessions', 'export', session]);
  if (code !== 0) throw new Error(`export ended with ${code}: ${stderr}`);
  return eventsOf(stdout);
}

/** The same from the file itself, without a program that is started for it. */
export async function stored(place: Place, session: string): Promise<readonly Printed[]> {
  const store = sqliteSessions(openSqlite(path.join(place.data, 'skillmint.db'), SESSION_MIGRATIONS), { now: () => Date.now(), isAlive: () => false });
  const lines: string[] = [];
  try {
    for await (const event of store.read(session)) lines.push(`${JSON.stringify(event)}\n`);
  } finally {
    await store.close();
  }
  return eventsOf(lines.join(''));
}

/** Events that were shown with a number and that the log does not have just so. */
export function lostEvents(acknowledged: readonly Printed[], log: readonly Printed[]): readonly Printed[] {
  const bySeq = new Map(log.map((event) => [event.seq, event]));
  return acknowledged.filter((event) => event.seq !== undefined && !isDeepStrictEqual(bySeq.get(event.seq), event));
}

/** The one line on standard error; fails when there are more or none. */
export function oneLineOf({ stderr }: Ended): string {
  const lines = stderr.split('\n').filter(Boolean);
  if (lines.length !== 1 || lines[0] === undefined) throw new Error(`${lines.length} lines on standard error: ${stderr}`);
  return lines[0];
}

/** Writes a skill folder with files and returns its path. */
export function writeSkill(root: string, skill: { readonly name: string; readonly description?: string; readonly frontmatter?: string; readonly body?: string; readonly files?: Readonly<Record<string, string>> }): string {
  const folder = path.join(root, skill.name);
  const files = { 'SKILL.md': `---\nname: ${skill.name}\ndescription: ${JSON.stringify(skill.description ?? `The skill ${skill.name}.`)}\n${skill.frontmatter ?? ''}---\n\n${skill.body ?? `# ${skill.name}\n\nDo the work of ${skill.name}.\n`}`, ...skill.files };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text, { mode: name.startsWith('scripts/') ? 0o755 : 0o644 });
  }
  return folder;
}
