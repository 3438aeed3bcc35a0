import type { TurnResult } from '../runtime.ts';

/** How a run in the background stands, wherever it runs. */
export type RunStanding = { readonly kind: 'running' } | { readonly kind: 'waiting' } | { readonly kind: 'ended'; readonly result: TurnResult };
