/** What workers have left and this one has to take. */
export interface LeftToDo<T> {
  readonly find: () => Promise<readonly T[]>;
  /** It cannot go on here; it is not found again as long as it stays left. */
  readonly giveUp: (one: T) => void;
}

/** Asks `all` what is left; `nameOf` tells one from another. */
export function leftToDo<T>(all: () => Promise<readonly T[]>, nameOf: (one: T) => string): LeftToDo<T> {
  const givenUp = new Set<string>();
  return {
    async find() {
      const left = await all();
      const names = new Set(left.map(nameOf));
      for (const name of givenUp) if (!names.has(name)) givenUp.delete(name);
      return left.filter((one) => !givenUp.has(nameOf(one)));
    },
    giveUp: (one) => void givenUp.add(nameOf(one)),
  };
}
