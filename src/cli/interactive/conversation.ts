import type { Console } from './console.ts';
import type { PromptRequest, Runtime } from '../../runtime/runtime.ts';

/** What the interactive mode keeps between turns. */
export interface Conversation {
  readonly runtime: Runtime;
  readonly console: Console;
  /** Flags of the command line; a session that was begun is gone on with. */
  readonly base: Omit<PromptRequest, 'text'>;
  sessionId: string | undefined;
  /** Model and mode chosen since the start, for the next turn. */
  chosen: Pick<PromptRequest, 'model' | 'mode'>;
}
