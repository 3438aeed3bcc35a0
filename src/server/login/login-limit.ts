const MOST_FAILED = 10;
const WINDOW_MS = 60_000;
/** Addresses that are remembered. */
const MOST_KNOWN = 10_000;

/** Counts failed logins by address, or by whatever else tells attempts apart. */
export interface LoginLimit {
  /** How long the address has to wait, ms; 0 when it may try. */
  readonly wait: (address: string) => number;
  /** An attempt fails, or is under way. */
  readonly failed: (address: string) => void;
  /** The last attempt was none that failed. */
  readonly forgive: (address: string) => void;
}

/** Lets ten attempts fail in a minute. */
export function loginLimit(now: () => number): LoginLimit {
  const failures = new Map<string, readonly number[]>();
  const recent = (address: string): readonly number[] => (failures.get(address) ?? []).filter((at) => now() - at < WINDOW_MS);
  return {
    wait: (address) => {
      const [first = 0, ...more] = recent(address);
      return more.length + 1 < MOST_FAILED || first === 0 ? 0 : first + WINDOW_MS - now();
    },
    failed: (address) => {
      const times = [...recent(address), now()].slice(-MOST_FAILED);
      failures.delete(address);
      failures.set(address, times);
      const [oldest] = failures.keys();
      if (oldest !== undefined && failures.size > MOST_KNOWN) failures.delete(oldest);
    },
    forgive: (address) => void failures.set(address, recent(address).slice(0, -1)),
  };
}
