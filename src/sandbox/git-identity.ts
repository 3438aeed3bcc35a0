/** Settings of git that say who a person is and how files look, and that hold neither secrets nor programs. */
const KEPT: ReadonlySet<string> = new Set(['user.name', 'user.email', 'init.defaultbranch', 'core.autocrlf', 'core.eol', 'core.quotepath', 'pull.rebase', 'merge.conflictstyle', 'diff.algorithm', 'safe.directory']);

/**
 * Reads git configuration texts, the strongest last, and gives one with the harmless settings alone: no credential
 * helpers, tokens in headers or addresses, programs, includes.
 */
export function gitIdentity(texts: readonly string[]): string {
  const values = new Map<string, readonly string[]>();
  for (const text of texts) {
    for (const { key, value } of entriesOf(text)) {
      if (KEPT.has(key)) values.set(key, key === 'safe.directory' ? [...(values.get(key) ?? []), value] : [value]);
    }
  }
  const lines = [...values].flatMap(([key, all]) => {
    const [section = '', name = ''] = key.split('.');
    return all.map((value) => `[${section}]\n\t${name} = "${value.replace(/[\\"]/g, '\\$&')}"\n`);
  });
  return lines.join('');
}

function* entriesOf(text: string): Generator<{ readonly key: string; readonly value: string }> {
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)(\s+"(?:[^"\\]|\\.)*")?\s*\](.*)$/.exec(line);
    // Settings of a named part (`[user "x"]`) are never among those that are kept.
    if (header) section = header[2] === undefined ? (header[1] ?? '').toLowerCase() : '';
    const setting = /^\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/.exec(header?.[3] ?? line);
    if (setting && section !== '') yield { key: `${section}.${(setting[1] ?? '').toLowerCase()}`, value: valueOf(setting[2] ?? '') };
  }
}

/** The value without quotes, escapes and a comment behind it. */
function valueOf(raw: string): string {
  let value = '';
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const char = raw.charAt(at);
    if (char === '\\') {
      at++;
      value += raw.charAt(at);
    } else if (char === '"') {
      quoted = !quoted;
    } else if (!quoted && (char === '#' || char === ';')) {
      break;
    } else {
      value += char;
    }
  }
  return value.trim();
}
