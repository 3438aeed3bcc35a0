/** A todo item of the session. */
export interface Todo {
  readonly id: string;
  readonly subject: string;
  readonly description?: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}
