/** What a text with variables became, or the variables that it needs and may not have. */
export type Expanded = { readonly text: string } | { readonly missing: readonly string[] };

/**
 * Replaces `${NAME}` and `${NAME:-default}`. `variable` gives the values that may be used; a name without value and without
 * default is missing. Nothing is looked for in what was put in.
 */
export function expandVariables(text: string, variable: (name: string) => string | undefined): Expanded {
  const missing: string[] = [];
  const expanded = text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (written, name: string, otherwise?: string) => {
    const value = variable(name);
    const known = value === undefined || (value === '' && otherwise !== undefined) ? otherwise : value;
    if (known !== undefined) return known;
    missing.push(name);
    return written;
  });
  return missing.length > 0 ? { missing } : { text: expanded };
}
