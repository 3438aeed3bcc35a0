import type { ExceededLimits } from '../host/host.ts';

/** What a result says of limits that stopped a part of its command; empty for none. */
export function exceededText({ memoryMb, processes }: ExceededLimits = {}): string {
  const lines = [
    ...(memoryMb === undefined ? [] : [`[Out of memory: processes of this command were killed because together they wanted more than ${memoryMb} MiB (setting sandbox.limits.memoryMb).]`]),
    ...(processes === undefined ? [] : [`[Too many processes: this command was refused more than ${processes} processes and threads at once (setting sandbox.limits.processes).]`]),
  ];
  return lines.join('\n');
}
