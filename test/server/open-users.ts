import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { applyLayers } from '../../src/config/layers.ts';
import type { SettingsFile } from '../../src/config/settings.ts';
import type { Model } from '../../src/model/model.ts';
import { serve, type RunningServer } from '../../src/server/serve.ts';
import type { ServeOptions } from '../../src/server/serve-options.ts';
import { addUser, makeToken } from '../../src/server/users/change-user.ts';
import type { UsersOptions } from '../../src/server/users/users-options.ts';
import type { Role } from '../../src/server/tenant.ts';
import { makePlace, type Place } from '../runtime/open.ts';
import { request, type Answer, type Asked } from './open-server.ts';

/** The password of each user of a test. */
export const PASSWORD = 'correct horse battery';

/** What a user of the test asks, with their token. */
export interface TestUser {
  readonly name: string;
  readonly token: string;
  /** Where they work by default. */
  readonly workspace: string;
  readonly data: string;
  ask(method: string, at: string, asked?: Asked): Promise<Answer>;
}

/** A server with users in this process. */
export interface UsersServer {
  readonly place: Place;
  readonly workspaces: string;
  readonly server: RunningServer;
  readonly port: number;
  readonly log: readonly string[];
  readonly audit: () => readonly Readonly<Record<string, unknown>>[];
  /** Adds a user with password and token. */
  user(name: string, role?: Role): Promise<TestUser>;
  bare(method: string, at: string, asked?: Asked): Promise<Answer>;
  close(): Promise<void>;
}

export interface OpenUsers extends Partial<Pick<UsersOptions, 'login' | 'proxies' | 'idleMs' | 'unsandboxed' | 'database'>>, Partial<Pick<ServeOptions, 'env'>> {
  readonly place?: Place;
  /** Those of the server. */
  readonly settings?: SettingsFile;
  /** Without one, the settings name it. */
  readonly model?: Model;
}

/** Starts a server whose first user is the administrator `root`. It ends with the test. */
export async function openUsers({ place = makePlace(), settings = {}, model, env = {}, login = { kind: 'accounts' }, proxies = [], idleMs = 900_000, unsandboxed = true, database }: OpenUsers = {}): Promise<UsersServer & { readonly root: TestUser }> {
  const log: string[] = [];
  const workspaces = path.join(path.dirname(place.project), 'workspaces');
  const options: ServeOptions = {
    runtime: { kind: 'users', login, proxies, idleMs, database, unsandboxed, workspaces, home: place.home, settings: applyLayers([{ name: 'user', folder: place.data, settings }]), ...(model ? { runtime: { model } } : {}) },
    offers: 'everything', dataFolder: place.data, env: { PATH: process.env['PATH'] ?? '', HOME: place.home, LANG: 'C.UTF-8', ...env }, host: '127.0.0.1', port: 0, allowHosts: [], roots: [place.project], workers: 2, log: (line) => log.push(line),
  };
  if (!fs.existsSync(path.join(place.data, 'users.json'))) await addUser(place.data, { name: 'root', role: 'admin', password: PASSWORD });
  const server = await serve(options);
  const port = Number(new URL(server.url).port);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close());
  onTestFinished(close);
  const bare: UsersServer['bare'] = (method, at, asked = {}) => request(port, method, at, asked);
  const withToken = async (name: string): Promise<TestUser> => {
    const { token } = await makeToken(place.data, name, new Date());
    return { name, token, workspace: path.join(workspaces, name), data: path.join(place.data, 'users', name), ask: (method, at, asked = {}) => bare(method, at, { ...asked, headers: { authorization: `Bearer ${token}`, ...asked.headers } }) };
  };
  const audit = (): readonly Readonly<Record<string, unknown>>[] => {
    const file = path.join(place.data, 'logs', 'audit.jsonl');
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').map((line): Readonly<Record<string, unknown>> => JSON.parse(line)) : [];
  };
  const user: UsersServer['user'] = async (name, role = 'member') => {
    await addUser(place.data, { name, role, password: PASSWORD });
    return withToken(name);
  };
  return { place, workspaces, server, port, log, audit, user, bare, close, root: await withToken('root') };
}
