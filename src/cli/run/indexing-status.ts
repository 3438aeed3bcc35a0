import type { SessionEvent } from '../../protocol/events.ts';
import type { RuntimeOptions } from '../../runtime/parts.ts';
import type { IndexingLine } from '../listings/indexing-line.ts';
import { write } from '../terminal.ts';

type Listener = NonNullable<RuntimeOptions['onSkillIndexing']>;
type Printer = (event: SessionEvent) => Promise<void>;

/** Tells a person how far the first indexing of skills has come beside a turn, without getting between its words. */
export interface IndexingStatus {
  /** To be given to the runtime. */
  readonly onSkillIndexing: Listener;
  /** A printer that leaves room for the line: it goes before anything is printed and comes back below a finished line. `streams` where the model's words are printed as they come. */
  beside(print: Printer, options: { readonly streams: boolean }): Printer;
  /** Takes the line away until `resume`. */
  pause(): void;
  /** The line may stand from now on: the cursor is at the start of one. */
  resume(): void;
  /** Takes the line away. Once the runtime has closed: one sentence on standard error where it has left skills to be indexed. */
  end(): Promise<void>;
}

/** The status of one command. It begins paused. */
export function indexingStatus(line: () => IndexingLine, { ephemeral }: { readonly ephemeral: boolean }): IndexingStatus {
  let shown: IndexingLine | undefined;
  let latest: Parameters<Listener>[0] | undefined;
  let isPaused = true;
  let isInLine = false;
  const pause = (): void => {
    isPaused = true;
    shown?.clear();
  };
  const resume = (): void => {
    isPaused = false;
  };
  return {
    onSkillIndexing(progress) {
      latest = progress;
      shown ??= line();
      if (progress.state !== 'running') shown.clear();
      else if (!isPaused) shown.show(progress.done);
    },
    beside: (print, { streams }) => async (event) => {
      pause();
      await print(event);
      if (event.type === 'text.delta') isInLine = streams;
      else if (event.type !== 'reasoning.delta' && event.type !== 'tool.delta') isInLine = false;
      if (!isInLine) resume();
    },
    pause,
    resume,
    async end() {
      pause();
      if (latest?.state !== 'left') return;
      const rest = ephemeral ? 'an ephemeral session keeps nothing of them' : 'the next session goes on with it';
      // It is only a courtesy: a reader that went away must not change how the command ends.
      await write(process.stderr, `skillmint: Not all skills are indexed yet (${latest.done.toLocaleString('en-US')} are); ${rest}.\n`).catch(() => undefined);
    },
  };
}
