import type { Host } from './host.ts';

/** The system that a name of Node's (`process.platform`) stands for. */
export function platformOf(name: string): Host['platform'] {
  return name === 'linux' || name === 'darwin' || name === 'win32' ? name : 'other';
}
