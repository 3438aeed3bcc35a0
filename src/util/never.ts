/** Ends an exhaustive `switch`; reaching it is a programmer's error. */
export function never(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
