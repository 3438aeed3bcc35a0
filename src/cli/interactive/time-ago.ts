const STEPS: readonly (readonly [number, string])[] = [[86_400_000, 'd'], [3_600_000, 'h'], [60_000, 'min']];

/** How long ago a time (ISO 8601) was, in its largest unit, such as `3 h ago`; `now` in ms since 1970. */
export function timeAgo(time: string, now: number): string {
  const ms = now - Date.parse(time);
  const step = STEPS.find(([size]) => ms >= size);
  return step ? `${Math.floor(ms / step[0])} ${step[1]} ago` : 'just now';
}
