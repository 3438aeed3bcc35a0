const UNITS = ['KiB', 'MiB', 'GiB'] as const;

/** A size for people: `512 B`, `1.5 KiB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1_024)), UNITS.length);
  const value = bytes / 1_024 ** power;
  return `${value.toFixed(value < 10 ? 1 : 0)} ${UNITS[power - 1] ?? ''}`;
}
