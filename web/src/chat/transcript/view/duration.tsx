import { useEffect, useState, type ReactNode } from 'react';
import type { CallItem } from '../../../../../src/protocol/transcript/transcript.ts';

const SECOND_MS = 1_000;
/** Times below this are not worth the reading. */
const SHORT_MS = 100;

/** How long a call took, or has taken so far. */
export function Duration({ item: { phase, startedAt, durationMs } }: { readonly item: Pick<CallItem, 'phase' | 'startedAt' | 'durationMs'> }): ReactNode {
  const isRunning = phase === 'running' && startedAt !== undefined;
  const [now, tick] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (isRunning) {
    const seconds = Math.floor((now - Date.parse(startedAt)) / SECOND_MS);
    return seconds > 0 ? <span>{seconds} s</span> : null;
  }
  if (durationMs === undefined || durationMs < SHORT_MS) return null;
  return <span>{durationMs < 10 * SECOND_MS ? (durationMs / SECOND_MS).toFixed(1) : Math.round(durationMs / SECOND_MS)} s</span>;
}
