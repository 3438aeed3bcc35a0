import type { Folder } from '../use-folder.ts';

/** Where an evaluation is shown, below the address of its skill without what that ends in. */
export function evaluationAddress(skill: string, id: string, { search }: Pick<Folder, 'search'>): string {
  return `${skill}/evaluations/${encodeURIComponent(id)}${search}`;
}
