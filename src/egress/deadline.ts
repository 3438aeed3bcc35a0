import { SkillmintError } from '../protocol/errors.ts';

/** Ends one transfer when it takes too long, when nothing comes, or when the caller stops it. */
export interface Deadline {
  /** Aborted with the `SkillmintError` that says why. */
  readonly signal: AbortSignal;
  /** Something came: the time without a byte begins again. */
  touch(): void;
  /** The transfer is over; nothing will be aborted any more. Must be called. */
  stop(): void;
}

/** How long a transfer may take. */
export interface DeadlineOptions {
  /** Begins the message, such as an address. */
  readonly what: string;
  readonly totalMs: number;
  /** Time without a byte. */
  readonly idleMs: number;
  /** The caller's. */
  readonly signal?: AbortSignal | undefined;
}

/** Starts the clocks. */
export function startDeadline({ what, totalMs, idleMs, signal }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const end = (why: string): void => controller.abort(new SkillmintError('network_failed', `${what} ${why}. Try again, or use a faster source.`));
  const total = setTimeout(end, totalMs, `was not complete after ${totalMs / 1000} s`);
  const idle = setTimeout(end, idleMs, `sent nothing for ${idleMs / 1000} s`);
  const interrupt = (): void => controller.abort(new SkillmintError('interrupted', `${what} was stopped before it was complete; nothing was kept.`, { cause: signal?.reason }));
  if (signal?.aborted === true) interrupt();
  else signal?.addEventListener('abort', interrupt, { once: true });
  return {
    signal: controller.signal,
    touch: () => void idle.refresh(),
    stop: () => {
      clearTimeout(total);
      clearTimeout(idle);
      signal?.removeEventListener('abort', interrupt);
    },
  };
}
