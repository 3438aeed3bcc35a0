import { claimsOf, type TrustReport } from './trust-report.ts';
import type { TrustedSkill } from './trust-file.ts';

/** What is new and what is gone. */
export interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** How a skill differs from what was trusted. Only what changed is listed. */
export interface TrustDifference {
  readonly files: Changes & { readonly changed: readonly string[] };
  /** By kind: `runs`, `grants`, `hooks`, `commands`, `overrides`. */
  readonly claims: Readonly<Record<string, Changes>>;
}

/** Compares a skill as it is now with what a person trusted. */
export function trustDifference(before: TrustedSkill, now: TrustReport): TrustDifference {
  const claims = Object.entries(claimsOf(now)).map(([kind, lines]): [string, Changes] => [kind, changes(before.claims[kind] ?? [], lines)]);
  const shared = Object.keys(now.files).filter((path) => Object.hasOwn(before.files, path));
  return {
    files: { ...changes(Object.keys(before.files), Object.keys(now.files)), changed: shared.filter((path) => before.files[path] !== now.files[path]) },
    claims: Object.fromEntries(claims.filter(([, { added, removed }]) => added.length + removed.length > 0)),
  };
}

function changes(before: readonly string[], now: readonly string[]): Changes {
  const [old, fresh] = [new Set(before), new Set(now)];
  return { added: [...fresh].filter((each) => !old.has(each)), removed: [...old].filter((each) => !fresh.has(each)) };
}
