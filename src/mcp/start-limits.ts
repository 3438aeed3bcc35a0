import type { ServerDefinition } from './definition.ts';

/** How long whoever wants something of a server waits for it to be ready, in ms. */
export const WAIT_MS = 10_000;
/** How long a program may take, in ms: the first time it may have to be fetched. */
const PROGRAM_START_MS = 120_000;

/** How long a server may take to be ready before its start counts as failed, in ms. What is reached at an address is not started here. */
export function startLimit({ kind }: ServerDefinition): number {
  return kind === 'stdio' ? PROGRAM_START_MS : WAIT_MS;
}
