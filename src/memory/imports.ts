import path from 'node:path';

const MOST_IMPORTS = 100;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MENTION = /(?:^|[\s(])@((?:\\ |[^\s\\])+)/g;

/**
 * The paths that a text imports with `@path`, as they stand there and absolute; those in code do not count. A mention of
 * something else, such as a person or a package, looks the same: what is not there is no import.
 */
export function importsOf(text: string, { file, home }: { readonly file: string; readonly home: string }): readonly { readonly given: string; readonly path: string }[] {
  const found = new Map<string, string>();
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    if (mark !== undefined || fence !== undefined) continue;
    for (const [, mention = ''] of line.replace(/(`+)[^`]+\1/g, '').matchAll(MENTION)) {
      const given = mention.replaceAll('\\ ', ' ').replace(/[.,;:!?)]+$/, '');
      if (given !== '' && !given.includes('\0') && found.size < MOST_IMPORTS) found.set(given, absolute(given, path.dirname(file), home));
    }
  }
  return [...found].map(([given, at]) => ({ given, path: at }));
}

function absolute(given: string, folder: string, home: string): string {
  return given === '~' || given.startsWith('~/') ? path.join(home, given.slice(1)) : path.resolve(folder, given);
}
