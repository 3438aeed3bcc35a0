import type { Runtime } from '../../runtime/runtime.ts';
import type { TenantParts } from './open-tenant.ts';

/** A server with users. */
export interface UsersOptions extends Pick<TenantParts, 'home' | 'settings' | 'unsandboxed' | 'workspaces' | 'runtime' | 'database'> {
  readonly kind: 'users';
  /** How they come in: by name and password, or named by a proxy in this header. */
  readonly login: { readonly kind: 'accounts' } | { readonly kind: 'header'; readonly header: string; readonly makesMembers: boolean };
  /** Addresses whose word on where a request comes from counts, and on who sends it. */
  readonly proxies: readonly string[];
  /** See `TenantsParts`; 15 minutes when left out. */
  readonly idleMs?: number;
}

/** True for a server with users. */
export function hasUsers(runtime: Runtime | UsersOptions): runtime is UsersOptions {
  return 'kind' in runtime;
}
