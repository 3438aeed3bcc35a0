import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import { writeSkill, writeSettings, type Place } from './program.ts';

/** Scripted conversations that lie beside the repository; they are no part of it. */
const BENCH = path.resolve(process.env['SKILLMINT_SHARED'] ?? '../shared', 'bench');

/** True where the scenarios are not there. */
export const withoutScenarios = !fs.existsSync(path.join(BENCH, 'mock-model.mjs'));

interface ExpectedFile {
  readonly path: string;
  readonly contains: readonly string[];
  readonly lacks: readonly string[];
}

/** A scripted conversation and what it must leave behind. */
export interface Scenario {
  readonly file: string;
  readonly prompt: string;
  readonly steps: number;
  readonly skill: Parameters<typeof writeSkill>[1] | undefined;
  readonly stdout: readonly string[];
  readonly files: readonly ExpectedFile[];
}

/** Reads a scenario by its name. */
export function readScenario(name: string): Scenario {
  const file = path.join(BENCH, 'scenarios', `${name}.json`);
  const raw: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (!isObject(raw) || typeof raw['prompt'] !== 'string' || !Array.isArray(raw['steps'])) throw new Error(`${file} is no scenario`);
  const expected = isObject(raw['expect']) ? raw['expect'] : {};
  return {
    file,
    prompt: raw['prompt'],
    steps: raw['steps'].length,
    skill: skillOf(raw['skill']),
    stdout: texts(expected['stdout']),
    files: (Array.isArray(expected['files']) ? expected['files'] : []).filter(isObject).map((one) => ({ path: String(one['path']), contains: texts(one['contains']), lacks: texts(one['lacks']) })),
  };
}

function skillOf(raw: unknown): Scenario['skill'] {
  if (!isObject(raw)) return undefined;
  const files = isObject(raw['files']) ? Object.entries(raw['files']).map(([name, text]): [string, string] => [name, String(text)]) : [];
  return { name: String(raw['name']), description: String(raw['description']), body: String(raw['body']), files: Object.fromEntries(files) };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A line of the log of the scripted server. */
export interface ServedRequest {
  readonly kind: string;
  readonly step: number;
  readonly api: string;
  /** Results that were not what the scenario expects. */
  readonly bad: readonly unknown[];
  readonly unmapped: readonly unknown[];
}

/** Puts the scenario's skill into the project, starts its server and makes it the model `fake/m`; gives what was served so far. */
export async function serveScenario(place: Place, scenario: Scenario, api: 'anthropic' | 'openai-chat' | 'openai-responses'): Promise<() => readonly ServedRequest[]> {
  const skills = path.join(place.project, '.agents/skills');
  if (scenario.skill) writeSkill(skills, scenario.skill);
  const log = path.join(place.root, 'requests.jsonl');
  const port = await startServer(['--scenario', scenario.file, '--log', log, '--strict-pairing', '--var', `CWD=${place.project}`, '--var', `SKILLS=${skills}`]);
  writeSettings(place, { providers: { fake: { api, baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-fake-key', models: [{ id: 'm', contextWindow: 200_000, maxOutput: 32_000 }] } } });
  return () => fs.readFileSync(log, 'utf8').split('\n').filter(Boolean).map(servedRequest);
}

function startServer(args: readonly string[]): Promise<number> {
  const server = spawn(process.execPath, [path.join(BENCH, 'mock-model.mjs'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => { server.kill('SIGTERM'); });
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const ready: unknown = text.endsWith('\n') ? JSON.parse(text) : undefined;
      if (isObject(ready)) resolve(Number(ready['port']));
    });
    server.on('exit', (code) => reject(new Error(`the scripted server ended with ${code}`)));
    server.on('error', reject);
  });
}

function servedRequest(line: string): ServedRequest {
  const raw: unknown = JSON.parse(line);
  if (!isObject(raw)) throw new Error(`no entry: ${line}`);
  const check = isObject(raw['check']) ? raw['check'] : {};
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  return { kind: String(raw['kind']), step: Number(raw['step']), api: String(raw['api']), bad: list(check['bad']), unmapped: list(raw['unmapped']) };
}

/** What of the scenario's expectations does not hold. */
export function unmet(scenario: Scenario, project: string, stdout: string): readonly string[] {
  return [
    ...scenario.stdout.filter((text) => !stdout.includes(text)).map((text) => `standard output lacks "${text}"`),
    ...scenario.files.flatMap((expected) => {
      const file = path.join(project, expected.path);
      if (!fs.existsSync(file)) return [`${expected.path} is missing`];
      const text = fs.readFileSync(file, 'utf8');
      return [...expected.contains.filter((part) => !text.includes(part)).map((part) => `${expected.path} lacks "${part}"`), ...expected.lacks.filter((part) => text.includes(part)).map((part) => `${expected.path} still has "${part}"`)];
    }),
  ];
}
