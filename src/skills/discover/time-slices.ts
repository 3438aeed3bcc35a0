/** Divides long work, so that others get a turn. */
export interface TimeSlices {
  /** True once a slice is used up. */
  isUp(): boolean;
  /** Lets others run, and begins the next slice. */
  rest(): Promise<void>;
}

const SLICE_MS = 12;

/** Begins the first slice. `now` in ms, rising. */
export function timeSlices(now: () => number): TimeSlices {
  let start = now();
  return {
    isUp: () => now() - start >= SLICE_MS,
    rest: async () => {
      await new Promise<void>((resolve) => setImmediate(resolve));
      start = now();
    },
  };
}
