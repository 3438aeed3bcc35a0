/** A message of the person that a session can be taken back to before. */
export interface RewindPoint {
  /** Number of the event that holds the message. */
  readonly seq: number;
  /** Of the turn that it has begun. */
  readonly turn_id: string;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

/**
 * A file that was changed since. `ready`: it is as the session has left it; `changed`: somebody else, or a command, has changed
 * it after that, which would be lost; `lost`: what it was before is not known any more.
 */
export interface RewindFile {
  /** Real path. */
  readonly path: string;
  /** `remove` where the session has made it. */
  readonly change: 'restore' | 'remove';
  readonly state: 'ready' | 'changed' | 'lost';
}

/** What going back would do. */
export interface RewindPlan extends RewindPoint {
  readonly files: readonly RewindFile[];
  /** Commands that ran since; what they have changed stays as it is. */
  readonly commands: readonly string[];
}

/** What going back has done. */
export interface RewindResult {
  /** The session that goes on: a copy that ends there, while the other one stays as it is; the same one where only files were taken back. */
  readonly session_id: string;
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  /** Files that stay as they are, and why. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
  readonly commands: readonly string[];
}

/** What a change of a file notes of how it was: `none` where there was no file, `lost` where its content could not be kept. */
export type BeforeChange = { readonly state: 'none' } | { readonly state: 'kept'; readonly digest: string; readonly mode: number } | { readonly state: 'lost' };
