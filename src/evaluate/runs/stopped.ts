/** Why not all runs were made. */
export interface Stopped {
  readonly reason: 'budget' | 'max_runs' | 'interrupted' | 'failures';
  readonly message: string;
}
