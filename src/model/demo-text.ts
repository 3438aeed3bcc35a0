const QUOTED_OR_WORD = String.raw`"([^"\n]+)"|'([^'\n]+)'|(\S+)`;

/** The first path of a CSV file in a text, quoted or not. */
export function csvIn(text: string): string | undefined {
  const match = /"([^"\n]+\.csv)"|'([^'\n]+\.csv)'|`([^`\n]+\.csv)`|([^\s"'`(<]+\.csv)\b/i.exec(text);
  return match?.slice(1).find((group) => group !== undefined);
}

/** The folder that a text wants something written to: what follows "to", "into" or "in" and looks like a path. */
export function folderIn(text: string, csv: string): string | undefined {
  for (const match of text.matchAll(new RegExp(String.raw`\b(?:to|into|in)\s+(?:${QUOTED_OR_WORD})`, 'gi'))) {
    const [, double, single, word] = match;
    const path = double ?? single ?? word?.replace(/[.,;:!?)]+$/, '') ?? '';
    const isPath = double !== undefined || single !== undefined || /[\\/]|^[.~]/.test(path);
    if (isPath && path !== '' && path !== csv && !/^[a-z]+:\/\//i.test(path)) return path;
  }
  return undefined;
}

/** The absolute path of `scripts/report.mjs` as a loaded skill gives it, or made of the skill's folder. */
export function scriptIn(skill: string): string | undefined {
  const script = /(?:[A-Za-z]:)?[\\/][^\s"'`<>]*[\\/]scripts[\\/]report\.mjs/.exec(skill)?.[0];
  if (script !== undefined) return script;
  const folder = /(?:[A-Za-z]:[\\/]|\/)[^"'`<>\n]*?[\\/]orders-report(?![\w-])/.exec(skill)?.[0];
  return folder === undefined ? undefined : joinPath(joinPath(folder, 'scripts'), 'report.mjs');
}

/** A path below a folder, with the folder's own kind of slash. */
export function joinPath(folder: string, name: string): string {
  const slash = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return `${folder.replace(/[\\/]+$/, '')}${slash}${name}`;
}

/** An argument of a shell command, in quotes only where it needs them. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./~-]+$/.test(argument) ? argument : `"${argument.replace(/["$`\\]/g, '\\$&')}"`;
}

const MAX_LINES = 8;

/** The lines of a report that hold figures, without the line numbers that `Read` puts before them. */
export function reportFigures(read: string): string {
  const lines = read.split('\n').map((line) => line.replace(/^\s*\d+(?:→|\t|: ?\|? ?)/, '').trim());
  const figures = lines.filter((line) => /\d/.test(line) && !/^(#|!\[|<|\|)/.test(line));
  return figures.slice(0, MAX_LINES).join('\n') || 'no figures';
}
