/** A list of a profile, a quoted string, or a bare word. */
export type Form = readonly Form[] | { readonly text: string } | string;

/** What a process wants; `path` for files and Unix sockets, `address` for the network, `name` for services and settings. */
export interface Wish {
  readonly operation: string;
  readonly path?: string;
  readonly address?: string;
  readonly name?: string;
}

/** Operations that `(deny default)` of a profile of version 1 leaves as they are: allowed, unless they are named. */
const NOT_IN_DEFAULT = /^(?:file-link|file-clone|file-map-executable|process-info|nvram|iokit-get-properties)/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** Reads a profile as the TinyScheme of Seatbelt does: a backslash before any but a few letters stands for the next character. */
export function readProfile(profile: string): readonly Form[] {
  let at = 0;
  const list = (): readonly Form[] => {
    const forms: Form[] = [];
    for (;;) {
      while (/\s/.test(profile.charAt(at))) at++;
      const char = profile.charAt(at);
      if (char === '' || char === ')') {
        at++;
        return forms;
      }
      if (char === '(') {
        at++;
        forms.push(list());
      } else if (char === '"') {
        forms.push({ text: string() });
      } else {
        const word = /^[^\s()"]+/.exec(profile.slice(at))?.[0] ?? '';
        at += word.length;
        forms.push(word);
      }
    }
  };
  const string = (): string => {
    let text = '';
    for (at++; profile.charAt(at) !== '"'; at++) {
      if (at >= profile.length) throw new Error('a string does not end');
      if (profile.charAt(at) !== '\\') text += profile.charAt(at);
      else text += ESCAPES[profile.charAt(++at)] ?? profile.charAt(at);
    }
    at++;
    return text;
  };
  const forms = list();
  if (at <= profile.length) throw new Error(`a parenthesis too many before: ${profile.slice(at, at + 40)}`);
  return forms;
}

/**
 * What a profile says to a wish. The last rule that fits decides; as it is told of Seatbelt that a rule for one operation beats a later
 * one for a whole class, both readings are asked and have to agree.
 */
export function verdict(profile: string, wish: Wish): 'allow' | 'deny' {
  const fitting = readProfile(profile).flatMap(rulesOf).filter((rule) => rule.filters.length === 0 || rule.filters.some((filter) => fits(filter, wish)));
  const whole = fitting.filter((rule) => rule.operations.some((operation) => covers(operation, wish.operation)));
  const last = whole.at(-1)?.action ?? (NOT_IN_DEFAULT.test(wish.operation) ? 'allow' : undefined);
  const exact = whole.filter((rule) => rule.operations.includes(wish.operation)).at(-1)?.action ?? last;
  if (last === undefined || last !== exact) throw new Error(`the profile is not clear on ${JSON.stringify(wish)}: ${last} or ${exact}`);
  return last;
}

interface Rule {
  readonly action: 'allow' | 'deny';
  readonly operations: readonly string[];
  readonly filters: readonly Form[];
}

function rulesOf(form: Form): readonly Rule[] {
  if (!Array.isArray(form)) throw new Error('a bare word is no rule');
  const [head, ...rest] = form as readonly Form[];
  if (head === 'version') return [];
  if (head === 'if') return rest.slice(1).flatMap(rulesOf);
  if (head !== 'allow' && head !== 'deny') throw new Error(`unknown: ${JSON.stringify(form)}`);
  const operations = rest.flatMap((one) => (typeof one === 'string' ? [one] : []));
  return [{ action: head, operations, filters: rest.filter((one) => typeof one !== 'string') }];
}

function covers(operation: string, wanted: string): boolean {
  return (operation === 'default' && !NOT_IN_DEFAULT.test(wanted)) || operation === wanted || (operation.endsWith('*') && wanted.startsWith(operation.slice(0, -1)));
}

function fits(filter: Form, wish: Wish): boolean {
  if (!Array.isArray(filter)) throw new Error(`no filter: ${JSON.stringify(filter)}`);
  const [kind, first, second] = filter as readonly Form[];
  const text = typeof first === 'object' && 'text' in first ? first.text : '';
  switch (kind) {
    case 'literal': return wish.path === text;
    case 'subpath': return wish.path !== undefined && (wish.path === text || wish.path.startsWith(`${text}/`));
    case 'regex': return wish.path !== undefined && new RegExp(text).test(wish.path);
    case 'local': case 'remote':
      if (first === 'unix-socket') return second !== undefined && fits(second, wish);
      return first === 'ip' && typeof second === 'object' && 'text' in second && wish.address === second.text;
    case 'global-name': case 'sysctl-name': case 'ipc-posix-name': return wish.name === text;
    case 'sysctl-name-prefix': return wish.name?.startsWith(text) === true;
    case 'target': return wish.name === first;
    case 'socket-domain': return wish.name === first;
    default: throw new Error(`unknown filter: ${JSON.stringify(filter)}`);
  }
}
