/** What this browser keeps of a person's choices; undefined where it keeps nothing. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(`skillmint.${name}`) ?? undefined;
  } catch (error) {
    // A browser may forbid it; then the choice holds until the page is closed.
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Keeps a choice; nothing is kept of an empty one. */
export function keep(name: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(`skillmint.${name}`);
    else localStorage.setItem(`skillmint.${name}`, value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Forgets all whose name begins so. */
export function forget(beginning: string): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(`skillmint.${beginning}`)) localStorage.removeItem(name);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
