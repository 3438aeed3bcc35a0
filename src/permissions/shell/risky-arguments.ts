import type { ShellWord } from './shell-word.ts';
import { isHarmlessVariable, isOwnVariable } from './variables.ts';
import { baseName } from './wrappers.ts';

/** What a program may be given that makes it run other programs, or write files that are not its purpose. */
type Risk = (word: string, at: number, words: readonly string[]) => boolean;

const any = (pattern: RegExp): Risk => (word) => pattern.test(word);

/** Long options by their names, which programs take cut short, too; one in a cluster of letters by its letter. */
function options(letters: string, ...names: readonly string[]): Risk {
  const cluster = letters === '' ? /^(?!)/ : new RegExp(`^-[A-Za-z0-9.#]*[${letters}]`);
  return (word) => {
    if (!word.startsWith('--')) return cluster.test(word);
    const name = /^--([a-z][a-z-]*)/i.exec(word)?.[1];
    return name !== undefined && names.some((full) => full.startsWith(name));
  };
}

const oneOf = (...words: readonly string[]): Risk => (word) => words.includes(word);

const isOption = (word: string): boolean => word.startsWith('-') && word !== '-';

const either = (...risks: readonly Risk[]): Risk => (word, at, words) => risks.some((risk) => risk(word, at, words));

const GIT_RUNNING = new Set(['bisect', 'filter-branch', 'submodule', 'difftool', 'mergetool', 'hook', 'instaweb', 'daemon', 'send-email', 'credential', 'upload-pack', 'remote-ext', 'for-each-repo', 'maintenance', 'merge-index', 'checkout-index']);

const GIT_OPTIONS = options('', 'upload-pack', 'receive-pack', 'exec', 'open-files-in-pager', 'ext-diff', 'output', 'template', 'separate-git-dir', 'config', 'prefix');

/** Letters of subcommands that choose a program or a file to write. */
const GIT_LETTERS: Readonly<Record<string, RegExp>> = {
  'clone': /^-[a-z]*[uc]/, 'ls-remote': /^-[a-z]*u/, 'grep': /^-[A-Za-z]*O/, 'rebase': /^-[a-z]*x/, 'archive': /^-[a-z]*o/, 'format-patch': /^-[a-z]*o/, 'bundle': /^-[a-z]*o/, 'diff': /^-O/, 'log': /^-O/, 'show': /^-O/,
};

/** Options before the subcommand choose programs, settings and folders; others are the same everywhere. */
const git: Risk = (word, at, words) => {
  const sub = words.findIndex((one, index) => index > 0 && !one.startsWith('-'));
  if ((sub < 0 || at < sub) && /^(?:-c|-C|--config-env|--exec-path=|--git-dir|--work-tree|--super-prefix)/.test(word)) return true;
  if (at === sub) return GIT_RUNNING.has(word) || (word === 'config' && changesConfig(words.slice(at + 1)));
  if (word.startsWith('ext::')) return true;
  return GIT_OPTIONS(word, at, words) || (GIT_LETTERS[words[sub] ?? '']?.test(word) ?? false);
};

/** Reading a setting names it and no value. */
function changesConfig(args: readonly string[]): boolean {
  if (args[0] === 'get' || args[0] === 'list' || args.some((word) => /^(?:--get(?:-[a-z-]+)?|--list|-l)$/.test(word))) return false;
  return args.filter((word) => !word.startsWith('-')).length !== 1 || args.some((word) => /^-(?:-unset|-add|-replace-all|-edit|e|-remove-section|-rename-section|-u|-a|-r|-e)/.test(word));
}

/** Between brackets a delimiter may be none, and a backslash may be itself: in these is neither. */
const brackets = (delimiter: string): string => String.raw`\[\^?\]?(?:\[(?!${delimiter}):[a-z]+:\]|(?!${delimiter})[^\]\[\\\n])*\]`;
const ADDRESS = String.raw`(?:\d+|\$|\/(?:[^\/\\\[\n]|\\.|${brackets('/')})*\/I?)`;
/** Addresses, then printing, deleting, stopping, or a substitution that does nothing but substitute. */
const PLAIN_SED = new RegExp(String.raw`^\s*(?:${ADDRESS}(?:,${ADDRESS})?\s*!?\s*)?(?:[pdq=]|s([\/|#,:@])(?:(?!\1)[^\\\n\[]|\\.|${brackets('\\1')})*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpIi\d]*)\s*(?:;|$)`);

/** A script that does more than show or substitute may run commands (`e`) and write files (`w`). */
const sed: Risk = (word, at, words) => {
  if (word.startsWith('-')) {
    const script = /^(?:-[nrEsuz]*e|--expression=)(.+)$/s.exec(word)?.[1];
    return script === undefined ? !/^(?:-[nrEsuz]*e?|--(?:quiet|silent|expression|regexp-extended|null-data))$/.test(word) : !isPlainSed(script);
  }
  const before = words[at - 1] ?? '';
  const given = words.some((one) => /^(?:-[nrEsuz]*e|--expression)/.test(one));
  const isScript = /^(?:-[nrEsuz]*e|--expression)$/.test(before) || (!given && !words.slice(1, at).some((one) => !one.startsWith('-')));
  return isScript && !isPlainSed(word);
};

function isPlainSed(script: string): boolean {
  let rest = script;
  for (let commands = 0; rest.trim() !== ''; commands += 1) {
    const plain = commands < 20 && rest.length < 2_000 ? PLAIN_SED.exec(rest) : null;
    if (!plain) return false;
    rest = rest.slice(plain[0].length);
  }
  return true;
}

const awk: Risk = either(any(/^(?:-[filEo]|--)/), any(/system|getline|@(?:load|include)|(?:^|[^|])\|(?:[^|]|$)|>>|print[^}]*>/));

const makeRisk = either(options('fCIE', 'file', 'makefile', 'directory', 'include-dir', 'eval'), any(/^(?:SHELL|MAKEFLAGS|MAKEFILES)=/));

/** Builtins of the shell that set variables: an index is calculated, and other programs look at some names. */
const sets = (word: string): boolean => /^[^=]*[[$`]/.test(word) || (/^\w+$/.test(word) && !isOwnVariable(word) && !isHarmlessVariable(word));

/** The same with values; of the options, those that calculate, or give a variable another one's place. */
const declares: Risk = (word) => (word.startsWith('-') ? /[aAin]/.test(word) : sets(word.replace(/\+?=.*$/s, '')) || word.includes('=('));

const RISKS: ReadonlyMap<string, Risk> = new Map<string, Risk>([
  ['printf', (word, at) => at === 1 && word.startsWith('-v')],
  ['test', oneOf('-v', '-R')], ['[', oneOf('-v', '-R')],
  ['read', sets], ['unset', any(/[[$`]/)], ['getopts', (word, at) => at === 2 && sets(word)], ['wait', options('p')], ['set', either(options('k'), oneOf('keyword'))],
  ['mapfile', either(options('C'), sets)], ['readarray', either(options('C'), sets)],
  ['export', declares], ['readonly', declares], ['declare', declares], ['typeset', declares], ['local', declares],
  ['let', any(/[A-Za-z_$`]/)],
  ['git', git],
  ['find', any(/^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)/)],
  ['fd', options('xX', 'exec', 'exec-batch')], ['fdfind', options('xX', 'exec', 'exec-batch')],
  ['ip', any(/^ex?e?c?$/)], ['nc', options('ec', 'exec', 'sh-exec', 'lua-exec')], ['ncat', options('ec', 'exec', 'sh-exec', 'lua-exec')],
  ['shuf', options('o', 'output')], ['history', options('wa')],
  ['rg', options('', 'pre', 'hostname-bin')],
  ['ag', options('', 'pager')],
  ['ack', options('', 'pager')],
  ['bat', options('', 'pager')],
  ['sort', options('oT', 'output', 'compress-program', 'temporary-directory')],
  ['uniq', (word, at, words) => at > 1 && (words.includes('--') || (!isOption(word) && words.slice(1, at).some((one) => !isOption(one))))],
  ['xxd', (word, at) => at > 1 || /r/.test(word)],
  ['tree', options('oR', 'output')],
  ['file', options('Cf', 'compile', 'files-from')],
  ['yq', options('i', 'inplace')],
  ['tee', (word) => !word.startsWith('-') && word !== '/dev/null'],
  ['dd', any(/^of=/)],
  ['split', options('', 'filter')],
  ['tar', (word, at, words) => (at === 1 && /^[A-Za-z]*[IF]/.test(word)) || options('IF', 'checkpoint-action', 'to-command', 'use-compress-program', 'rsh-command', 'rmt-command', 'info-script', 'new-volume-script')(word, at, words)],
  ['zip', options('T', 'test', 'unzip-command')],
  ['sed', sed], ['gsed', sed],
  ['awk', awk], ['gawk', awk], ['mawk', awk], ['nawk', awk],
  ['man', options('PHX', 'pager', 'html', 'gxditview')],
  ['less', either(options('oOk', 'log-file', 'lesskey-file'), any(/^\+/))],
  ['curl', options('oOKDc', 'output', 'remote-name', 'config', 'dump-header', 'cookie-jar', 'trace', 'trace-ascii', 'libcurl', 'etag-save', 'hsts', 'alt-svc', 'engine', 'stderr', 'output-dir')],
  ['wget', options('Oioae', 'output-document', 'output-file', 'execute', 'use-askpass', 'input-file', 'config', 'append-output', 'post-file', 'body-file')],
  ['ssh', options('oFwE')],
  ['scp', options('oFSD')],
  ['sftp', options('oFSbD')],
  ['rsync', options('eT', 'rsh', 'rsync-path', 'write-batch', 'log-file', 'files-from', 'partial-dir', 'temp-dir', 'daemon')],
  ['make', makeRisk], ['gmake', makeRisk],
  ['go', any(/^--?(?:exec|toolexec|overlay|modfile|vettool|ldflags|gccgoflags|o)(?:=|$)|^(?:run|generate|tool)$/)],
  ['cargo', any(/^(?:--config|-Z|-C|--target-dir)/)],
  ['npm', options('', 'script-shell', 'prefix', 'globalconfig', 'userconfig', 'node-options', 'no-ignore-scripts')],
  ['pnpm', options('C', 'script-shell', 'dir', 'config')],
  ['yarn', options('', 'script-shell', 'cwd', 'use-yarnrc')],
  ['docker', either(oneOf('run', 'exec', 'create', 'cp', 'compose', 'buildx', 'build', 'plugin', 'container', 'context'), options('Hc', 'host', 'config', 'context'))],
  ['podman', oneOf('run', 'exec', 'create', 'cp', 'build', 'container', 'kube', 'machine', 'unshare', 'mount')],
  ['kubectl', either(oneOf('exec', 'run', 'cp', 'debug', 'plugin', 'proxy', 'port-forward'), options('', 'kubeconfig', 'exec'))],
  ['tcpdump', options('zwW')],
  ['openssl', any(/^-(?:engine|out|keyout|provider-path)/)],
  ['mysql', options('e', 'execute', 'tee', 'pager')],
  ['psql', options('coLf', 'command', 'output', 'log-file', 'file')],
  ['sqlite3', any(/^-{1,2}(?:init|cmd)|(?:^|\n)\s*\./)],
]);

/** A word that long is no option, and takes long to look at. */
const LONGEST_WORD = 4_000;

/** True when a word from the index `from` on makes the program run another one or write a file beside its purpose. */
export function hasRiskyArgument(words: readonly ShellWord[], from: number): boolean {
  const texts = words.map(({ text }) => text);
  const risk = RISKS.get(baseName(texts[0] ?? ''));
  return risk !== undefined && texts.some((text, at) => at >= Math.max(from, 1) && (text.length > LONGEST_WORD || risk(text, at, texts)));
}
