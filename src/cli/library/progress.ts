import { oneLine, write } from '../terminal.ts';

/** How long work may be silent, in ms. */
const SILENT_MS = 1_000;

/** Says on standard error what is being done, from the moment that it takes longer than a second. */
export interface Progress {
  readonly say: (line: string) => void;
  end(): void;
}

/** Starts the clock. */
export function startProgress(): Progress {
  let latest: string | undefined;
  let shown: string | undefined;
  const show = (): void => {
    if (latest === undefined || latest === shown) return;
    shown = latest;
    // It is only a courtesy: a reader that went away must not end the work.
    write(process.stderr, `skillmint: ${oneLine(latest)} …\n`).catch(() => undefined);
  };
  let timer: NodeJS.Timeout | undefined = setTimeout(() => {
    timer = undefined;
    show();
  }, SILENT_MS);
  return {
    say: (line) => {
      latest = line;
      if (timer === undefined) show();
    },
    end: () => clearTimeout(timer),
  };
}
