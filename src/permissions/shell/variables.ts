/** True for a variable that may be set before a command that a rule covers. */
export function isHarmlessVariable(name: string): boolean {
  return /^(?:NODE_ENV|CI|NO_COLOR|FORCE_COLOR|TZ|LANG|LC_[A-Z]+)$/.test(name);
}

/** True for a name that is no more than a place for a value, as a rule; other programs look at some of the others. */
export function isOwnVariable(name: string): boolean {
  return /^[a-z][a-z\d_]*$/.test(name) && !/^npm_|_proxy$/.test(name);
}
