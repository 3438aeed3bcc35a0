import { isIPv6 } from 'node:net';
import { SkillmintError } from '../protocol/errors.ts';
import type { ServeOptions } from './serve-options.ts';
import { hasUsers } from './users/users-options.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const EVERY = new Set(['0.0.0.0', '::']);

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

/** True for what stands for all addresses of this machine, its own for itself among them. */
export function isEveryAddress(host: string): boolean {
  return EVERY.has(host);
}

/** A name or an address as it stands in a URL and in the header `Host`. */
export function inAddress(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/** @throws SkillmintError usage for a server that others could reach with a token that was only made for this machine, and for a token beside users */
export function refuseOpen({ host, tokenFile, runtime }: Pick<ServeOptions, 'host' | 'tokenFile' | 'runtime'>): void {
  const users = hasUsers(runtime);
  if (users && tokenFile !== undefined) throw new SkillmintError('usage', 'With --users nobody comes in by a token of the server: leave --token-file out. Programs take a token of a user: skillmint users token NAME');
  if (!isLoopback(host) && !users && tokenFile === undefined) throw new SkillmintError('usage', `--host ${host} opens the server to other machines: give it a token of your own with --token-file FILE, or accounts with --users.`);
}
