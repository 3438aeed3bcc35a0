import type { Tenant } from './tenant.ts';

/** Whom a server works for. */
export interface People {
  /** Works for a person; what is theirs stays open meanwhile. @throws SkillmintError where it cannot be opened */
  readonly withTenant: <T>(name: string, work: (tenant: Tenant) => Promise<T>) => Promise<T>;
  /** Goes on with turns that a crash or a stop has cut off, until the server ends; tells when it has begun. Rejects with what ends the server. */
  readonly work: (onBegun: () => void) => Promise<void>;
  /** Resolves when what is theirs can be read at this moment. @throws SkillmintError where it cannot */
  readonly reachable: () => Promise<void>;
  /** Ends what is theirs; call it when no more requests come. */
  readonly close: () => Promise<void>;
}
