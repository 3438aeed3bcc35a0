import type { Settings } from '../../config/settings.ts';
import { createRuntime } from '../../runtime/create-runtime.ts';
import type { SharedDatabase } from '../../runtime/database/backend.ts';
import type { RuntimeOptions } from '../../runtime/parts.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { sharedSettings } from '../../runtime/settings/shared-settings.ts';
import type { Role } from '../tenant.ts';
import { limitedRuntime } from './member-limits.ts';
import { memberEnvironment } from './member-environment.ts';
import { memberHome, memberWorkspace, userData } from './member-places.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** What of the server the runtimes of its users are made with. */
export interface TenantParts {
  /** That of the server: the users' lie in it. */
  readonly dataFolder: string;
  /** Folder of the members' workspaces. */
  readonly workspaces: string;
  /** Where administrators work, real paths. */
  readonly roots: readonly string[];
  readonly env: Variables;
  readonly home: string;
  /** The server's own settings, without those of a project. */
  readonly settings: Settings;
  /** Commands of members run with the rights of the server where it says so for itself. */
  readonly unsandboxed: boolean;
  /** Keeps the sessions of all users, each under their name; files of their own when left out. */
  readonly database?: SharedDatabase | undefined;
  readonly log: (line: string) => void;
  /** Parts that an embedding program or a test puts in. */
  readonly runtime?: Pick<RuntimeOptions, 'model' | 'fetch' | 'turnPlace' | 'observe'>;
}

/** What is opened for a user. */
export interface OpenedRuntime {
  readonly runtime: Runtime;
  readonly roots: readonly string[];
}

/** Opens what is a user's own: data, settings, skills, memory, trust; for members a workspace, too. Made where it is not there yet. */
export async function openTenant({ name, role }: { readonly name: string; readonly role: Role }, parts: TenantParts): Promise<OpenedRuntime> {
  const { dataFolder, env, home, settings } = parts;
  const data = userData(dataFolder, name);
  const tenant = { allData: dataFolder, settings: sharedSettings(settings, env) };
  const common = { service: true, log: (line: string) => parts.log(`user ${name}: ${line}`), ...parts.runtime, ...(parts.database ? { database: { shared: parts.database, tenant: name } } : {}) };
  if (role === 'admin') return { runtime: await createRuntime({ ...common, env, home, dataFolder: data, tenant }), roots: parts.roots };
  const ownHome = memberHome(data);
  const own = memberEnvironment(env, { home: ownHome, serverHome: home, execPath: process.execPath });
  const sandbox = parts.unsandboxed ? 'off' : 'required';
  const workspace = memberWorkspace(parts.workspaces, name);
  const runtime = await createRuntime({ ...common, env: own, home: ownHome, dataFolder: data, tenant: { ...tenant, confinedTo: workspace }, settings: { sandbox } });
  return { runtime: limitedRuntime(runtime, { mayBeUnrestricted: settings.permissions.mode === 'unrestricted' }), roots: [workspace] };
}
