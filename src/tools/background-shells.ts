/** Commands that run on after their tool call has ended. Filled in by its own module. */
export interface BackgroundShells {
  /** Takes over a running command; returns its id. */
  readonly ids: () => readonly string[];
}
