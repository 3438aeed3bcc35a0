import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Host } from '../../src/host/host.ts';
import type { Model } from '../../src/model/model.ts';
import type { SettingsFile } from '../../src/config/settings.ts';
import type { SessionEvent, StoredEvent } from '../../src/protocol/events.ts';
import { createRuntime } from '../../src/runtime/create-runtime.ts';
import type { RuntimeOptions } from '../../src/runtime/parts.ts';
import type { PromptRequest, RunningTurn, Runtime, TurnResult } from '../../src/runtime/runtime.ts';

/** Folders of a person and a project that are removed when the test ends. */
export interface Place {
  readonly home: string;
  readonly data: string;
  readonly project: string;
}

export function makePlace(): Place {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-runtime-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const place = { home: path.join(root, 'home'), data: path.join(root, 'home/.skillmint'), project: path.join(root, 'project') };
  fs.mkdirSync(place.data, { recursive: true, mode: 0o700 });
  fs.mkdirSync(place.project);
  return place;
}

export interface OpenOptions extends Pick<RuntimeOptions, 'answers' | 'ephemeral' | 'onSkillIndexing' | 'service' | 'sessions' | 'skillFields' | 'skills' | 'skillSources' | 'tools'> {
  readonly place?: Place;
  readonly settings?: SettingsFile;
  readonly host?: Host;
  readonly env?: Readonly<Record<string, string>>;
}

/** A runtime on real files with this model; commands run without the sandbox and nothing asks, unless the settings say otherwise. */
export async function open(model: Model | undefined, { place = makePlace(), settings = {}, host, env = {}, ...more }: OpenOptions = {}): Promise<{ readonly runtime: Runtime; readonly place: Place }> {
  const runtime = await createRuntime({
    ...more,
    env: { PATH: process.env['PATH'] ?? '', HOME: place.home, LANG: 'C.UTF-8', ...env },
    home: place.home,
    dataFolder: place.data,
    settings: { sandbox: 'off', permissions: { mode: 'unrestricted' }, ...settings },
    ...(model ? { model } : {}),
    ...(host ? { host } : {}),
  });
  onTestFinished(() => runtime.close());
  return { runtime, place };
}

/** What a turn came to. */
export interface Finished {
  readonly result: TurnResult;
  readonly events: readonly SessionEvent[];
}

/** Follows a turn to its end. */
export async function finish(turn: RunningTurn): Promise<Finished> {
  const events: SessionEvent[] = [];
  for await (const event of turn.events) events.push(event);
  return { result: await turn.result, events };
}

/** Sends a message and follows the turn to its end. */
export async function say(runtime: Runtime, request: PromptRequest): Promise<Finished> {
  return finish(await runtime.prompt(request));
}

/** Events of one type, in order. */
export function eventsOf<T extends SessionEvent['type']>(events: readonly SessionEvent[], type: T): readonly Extract<SessionEvent, { type: T }>[] {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}

/** The stored log of a session. */
export async function logOf(runtime: Runtime, sessionId: string): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of runtime.sessions.events(sessionId)) events.push(event);
  return events;
}

/** Writes a skill into the project and returns the path of its SKILL.md. */
export function writeSkill(place: Place, name: string, skill: { readonly description?: string; readonly frontmatter?: string; readonly body?: string } = {}): string {
  const file = path.join(place.project, '.agents/skills', name, 'SKILL.md');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `---\nname: ${name}\ndescription: ${JSON.stringify(skill.description ?? `The skill ${name}.`)}\n${skill.frontmatter ?? ''}---\n\n${skill.body ?? `Instructions of ${name}.`}\n`);
  return file;
}

/** Writes a skill of the person's own, which is trusted, and returns the path of its SKILL.md. */
export function ownSkill(place: Place, name: string, frontmatter: string, body = `BODY OF ${name}`): string {
  const file = path.join(place.home, '.agents/skills', name, 'SKILL.md');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `---\nname: ${name}\ndescription: The skill ${name}.\n${frontmatter}---\n\n${body}\n`);
  return file;
}
