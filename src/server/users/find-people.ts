import { SkillmintError } from '../../protocol/errors.ts';
import { onePerson } from '../one-person.ts';
import type { People } from '../people.ts';
import type { ServeOptions } from '../serve-options.ts';
import { knownUsers, roleIn } from './known-users.ts';
import { checkPlaces } from './member-places.ts';
import { tenants } from './tenants.ts';
import { hasUsers } from './users-options.ts';

const IDLE_MS = 900_000;

/** Those whom a server works for. @throws SkillmintError usage, config_invalid, config_unreadable */
export async function findPeople(options: Pick<ServeOptions, 'runtime' | 'offers' | 'dataFolder' | 'env' | 'roots' | 'workers' | 'log'> & { readonly signal: AbortSignal }): Promise<People> {
  const { runtime, offers, dataFolder, log, workers } = options;
  if (!hasUsers(runtime)) return onePerson({ ...options, runtime, workers: offers === 'sidecar' ? 0 : workers });
  const { login, idleMs = IDLE_MS, home, settings, unsandboxed, workspaces, database } = runtime;
  checkPlaces({ dataFolder, workspaces });
  const users = knownUsers(dataFolder, log);
  if (users().length === 0 && login.kind === 'accounts') throw new SkillmintError('usage', 'There are no users yet. Add the first one: skillmint users add NAME --admin');
  return tenants({ ...options, home, settings, unsandboxed, workspaces, database, runtime: runtime.runtime ?? {}, idleMs, now: Date.now, roleOf: (name) => roleIn(users(), name, login), names: () => users().map(({ name }) => name) });
}
