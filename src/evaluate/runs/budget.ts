/** What was set aside for a run, USD. */
export interface Reserved {
  readonly usd: number;
}

/** Money for runs at the same time: what those at work may still take is never given to another. */
export interface Budget {
  /**
   * Sets money aside for a run. Waits where what is left does not do for one and a run at work may leave some; undefined where
   * none is at work either.
   */
  reserve(): Promise<Reserved | undefined>;
  /** Gives back what was set aside, less what the run has cost, USD. */
  settle(reserved: Reserved, costUsd: number): void;
}

/** What is known when a budget is opened. USD. */
export interface BudgetOptions {
  readonly limitUsd: number;
  readonly spentUsd: number;
  /** Of runs before; empty where there were none. */
  readonly costsUsd: readonly number[];
  /** Runs at the same time. */
  readonly slots: number;
}

/** A run may take so many times what the dearest one has. */
const ROOM = 1.5;

/** Opens a budget. While no run was measured the first one goes alone: what the others need is known by it. */
export function openBudget({ limitUsd, spentUsd, costsUsd, slots }: BudgetOptions): Budget {
  const atWork = new Set<Reserved>();
  let waiting: (() => void)[] = [];
  let spent = spentUsd;
  let dearest = costsUsd.length === 0 ? undefined : Math.max(...costsUsd);
  const grant = (): Reserved | undefined => {
    if (dearest === undefined && atWork.size > 0) return undefined;
    const left = limitUsd - spent - [...atWork].reduce((sum, { usd }) => sum + usd, 0);
    if (left <= 0 || left < (dearest ?? 0)) return undefined;
    const share = dearest === undefined ? left : Math.max(dearest * ROOM, left / Math.max(1, slots - atWork.size));
    // What would not do for another run is left to this one.
    const reserved = { usd: left - share < (dearest ?? 0) ? left : share };
    atWork.add(reserved);
    return reserved;
  };
  return {
    async reserve() {
      for (;;) {
        const reserved = grant();
        if (reserved || atWork.size === 0) return reserved;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    settle(reserved, costUsd) {
      if (!atWork.delete(reserved)) return;
      spent += costUsd;
      dearest = Math.max(dearest ?? 0, costUsd);
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}
