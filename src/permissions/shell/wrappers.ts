/** How a program that runs another one is called: which of its own options take a value in the next word. */
interface Wrapper {
  readonly valued: readonly string[];
  /** Words of its own between the options and the command it runs. */
  readonly operands: number;
  /** `NAME=value` words may stand before the command. */
  readonly assignments?: true;
  /** Adds words to the command that are not in the text. */
  readonly adds?: true;
}

const plain: Wrapper = { valued: [], operands: 0 };

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['env', { valued: ['-u', '--unset', '-C', '--chdir'], operands: 0, assignments: true }],
  ['command', plain],
  ['builtin', plain],
  ['exec', { valued: ['-a'], operands: 0 }],
  ['nohup', plain],
  ['setsid', plain],
  ['nice', { valued: ['-n', '--adjustment'], operands: 0 }],
  ['ionice', { valued: ['-c', '-n', '--class', '--classdata'], operands: 0 }],
  ['timeout', { valued: ['-s', '--signal', '-k', '--kill-after'], operands: 1 }],
  ['time', { valued: ['-f', '--format', '-o', '--output'], operands: 0 }],
  ['stdbuf', { valued: ['-i', '-o', '-e', '--input', '--output', '--error'], operands: 0 }],
  ['sudo', { valued: ['-u', '--user', '-g', '--group', '-h', '--host', '-p', '--prompt', '-C', '-D', '--chdir', '-R', '--chroot', '-T', '-U', '-r', '-t'], operands: 0, assignments: true }],
  ['doas', { valued: ['-u', '-C'], operands: 0 }],
  ['xargs', { valued: ['-I', '-n', '-P', '-d', '-L', '-s', '-a', '-E', '--max-args', '--max-procs', '--delimiter', '--max-lines', '--max-chars', '--arg-file', '--replace'], operands: 0, adds: true }],
  ['parallel', { valued: ['-j', '--jobs', '-I', '-a'], operands: 0, adds: true }],
  ['watch', { valued: ['-n', '--interval'], operands: 0 }],
  ['chroot', { valued: [], operands: 1 }],
  ['unshare', plain],
  ['nsenter', { valued: ['-t', '--target'], operands: 0 }],
  ['strace', { valued: ['-o', '-e', '-p', '-s'], operands: 0 }],
  ['busybox', plain],
  ['flock', { valued: ['-w', '-E'], operands: 1 }],
  ['caffeinate', { valued: ['-t', '-w'], operands: 0 }],
]);

/** Shells: `-c` gives them a text to run. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'rbash', 'dash', 'zsh', 'ksh', 'ash', 'fish', 'mksh']);

/** Programs that run whatever code their arguments name. */
const INTERPRETERS = /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|bunx|tsx|ts-node|ruby[\d.]*|perl[\d.]*|php[\d.]*|lua[\d.]*|Rscript|osascript|pwsh|powershell|npx|pnpx|uvx|pipx|uv|eval|source|\.|trap|alias|bind|compgen|complete|enable|fc|hash|ssh|su)$/;

/** Programs that run a text, or another program, in ways that are not looked into. */
const RUNNERS: ReadonlySet<string> = new Set([
  'script', 'runuser', 'pkexec', 'capsh', 'setpriv', 'taskset', 'chrt', 'numactl', 'prlimit', 'cpulimit', 'setarch', 'systemd-run', 'start-stop-daemon', 'unbuffer', 'expect', 'rlwrap', 'at', 'batch', 'crontab',
  'gdb', 'lldb', 'ltrace', 'perf', 'valgrind', 'catchsegv', 'hyperfine', 'entr', 'watchexec', 'tmux', 'screen', 'socat', 'torsocks', 'proxychains', 'proxychains4', 'firejail', 'bwrap', 'proot', 'fakeroot', 'chpst', 'tini', 'dumb-init',
  'dbus-run-session', 'xvfb-run', 'emacs', 'vim', 'vi', 'nvim', 'ed', 'ex',
]);

/** True for a program that runs a text, or another program, in ways that are not looked into; the loader of programs is one, too. */
export function isRunner(name: string): boolean {
  return RUNNERS.has(name) || /^ld(?:-[\w.-]+)?\.so/.test(name);
}

/** Programs that run others for some of their arguments only. */
const SOMETIMES_RUNNING: ReadonlySet<string> = new Set(['find', 'fd', 'awk', 'gawk', 'mawk', 'make', 'gmake', 'docker', 'podman', 'kubectl']);

/** True for programs that may run others: whoever trusts one call of them has not trusted the next. */
export function mayRunOthers(program: string): boolean {
  return runsOthers(program) || SOMETIMES_RUNNING.has(baseName(program));
}

/** True for programs that run others: a rule that names no more than them does not cover what they run. */
export function runsOthers(program: string): boolean {
  const name = baseName(program);
  return WRAPPERS.has(name) || SHELLS.has(name) || INTERPRETERS.test(name) || isRunner(name);
}

/** True for programs that only run another program given by their arguments. */
export function isWrapper(program: string): boolean {
  return WRAPPERS.has(baseName(program));
}

/** Where the command begins that a wrapper runs. */
export interface Wrapped {
  readonly from: number;
  readonly adds: boolean;
}

/** Index of the first word of the wrapped command, or undefined when the words are no wrapper or hold none. */
export function wrappedCommand(words: readonly { readonly text: string }[]): Wrapped | undefined {
  const wrapper = WRAPPERS.get(baseName(words[0]?.text ?? ''));
  if (!wrapper) return undefined;
  let at = 1;
  let operands = wrapper.operands;
  while (at < words.length) {
    const text = words[at]?.text ?? '';
    if (text === '--') at++;
    else if (wrapper.valued.includes(text)) at += 2;
    else if (text.startsWith('-') && text !== '-') at++;
    else if (wrapper.assignments && /^\w+=/.test(text)) at++;
    else if (operands-- > 0) at++;
    else return { from: at, adds: wrapper.adds === true };
  }
  return undefined;
}

/** The last part of a command word: `rm` of `/bin/rm`. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/**
 * Wrappers that leave a command what it is: an allow rule for what they run holds for them too. Each with the options that
 * it may have; of others it is not known whether the next word is their value or the command.
 */
const TRANSPARENT: ReadonlyMap<string, RegExp> = new Map([
  ['timeout', /^(?:-[sk].*|--(?:signal|kill-after)(?:=.*)?|--foreground|--preserve-status|-v|--verbose)$/],
  ['time', /^-(?:[pvq]|f.*)$/],
  ['nice', /^(?:-n.*|-?-\d+|--adjustment(?:=.*)?)$/],
  ['nohup', /^(?!)/],
  ['stdbuf', /^(?:-[ioe].*|--(?:input|output|error)(?:=.*)?)$/],
  ['command', /^-[pvV]+$/],
]);

/** The command that a harmless wrapper runs; undefined when the words are none, or its own part is not fixed or not known. */
export function throughWrapper<W extends { readonly text: string; readonly static: boolean }>(words: readonly W[]): readonly W[] | undefined {
  const known = TRANSPARENT.get(words[0]?.text ?? '');
  const wrapped = known && wrappedCommand(words);
  if (!wrapped) return undefined;
  const own = words.slice(1, wrapped.from);
  const isKnown = own.every(({ text, static: fixed }) => fixed && (!text.startsWith('-') || text === '--' || known.test(text)));
  return isKnown ? words.slice(wrapped.from) : undefined;
}
