import type { ShellWord } from './shell-word.ts';
import { baseName } from './wrappers.ts';

/** What a program may be given that makes it run other programs, or write files that are not its purpose. */
type Risk = (word: string, at: number, words: readonly string[]) => boolean;

const any = (pattern: RegExp): Risk => (word) => pattern.test(word);

/** Second and later operands are files that are written. */
const secondOperand: Risk = (word, at, words) => !word.startsWith('-') && words.slice(1, at).some((one) => !one.startsWith('-'));

const either = (...risks: readonly Risk[]): Risk => (word, at, words) => risks.some((risk) => risk(word, at, words));

const GIT_RUNNING = new Set(['bisect', 'filter-branch', 'submodule', 'difftool', 'mergetool', 'hook', 'instaweb', 'daemon', 'send-email', 'credential', 'upload-pack', 'remote-ext', 'for-each-repo', 'maintenance']);

/** Options before the subcommand choose programs, settings and folders; others are the same everywhere. */
const git: Risk = (word, at, words) => {
  const sub = words.findIndex((one, index) => index > 0 && !one.startsWith('-'));
  if ((sub < 0 || at < sub) && /^(?:-c|-C|--config-env|--exec-path=|--git-dir|--work-tree|--super-prefix)/.test(word)) return true;
  if (at === sub) return GIT_RUNNING.has(word) || (word === 'config' && changesConfig(words.slice(at + 1)));
  if (/^(?:--upload-pack|--receive-pack|--exec|--open-files-in-pager|--ext-diff|--output|--template|--separate-git-dir|--config|--attr-source)(?:=|$)|^ext::|^-O/.test(word)) return true;
  switch (words[sub]) {
    case 'clone': return /^-[cu]/.test(word);
    case 'ls-remote': return word.startsWith('-u');
    case 'rebase': return word.startsWith('-x');
    case 'archive': case 'format-patch': case 'bundle': return word.startsWith('-o');
    default: return false;
  }
};

/** Reading a setting names it and no value. */
function changesConfig(args: readonly string[]): boolean {
  if (args.some((word) => /^(?:--get(?:-.*)?|--list|-l|get|list)$/.test(word))) return false;
  return args.filter((word) => !word.startsWith('-')).length !== 1 || args.some((word) => /^(?:--unset|--add|--replace-all|--edit|-e|--remove-section|--rename-section)/.test(word));
}

/** `e` runs a command, `w` writes a file, both as commands and as flags of `s`. */
const sed: Risk = either(any(/^(?:-[a-zA-Z]*i|--in-place|-f|--file)/), any(/(?:^|[;{}\n\d$/,!])\s*[eWw](?:\s|$)/), any(/(?:^|[;{}\n\d$/,!\s])s(.)(?:.|\n)*\1[gpIiMm\d]*[ew]/));

const awk: Risk = either(any(/^(?:-[filE]|--(?:file|include|load|exec))/), any(/system\s*\(|getline|@(?:load|include)|(?:^|[^|])\|(?:[^|]|$)|>>|>\s*["$(A-Za-z]/));

const RISKS: ReadonlyMap<string, Risk> = new Map<string, Risk>([
  ['git', git],
  ['find', any(/^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/)],
  ['fd', any(/^(?:-[a-zA-Z]*[xX]|--exec)/)],
  ['rg', any(/^--(?:pre|hostname-bin)(?:=|$)/)],
  ['ag', any(/^--pager/)],
  ['ack', any(/^--pager/)],
  ['bat', any(/^--pager/)],
  ['sort', any(/^(?:-[a-zA-Z]*[oT]|--output|--compress-program|--temporary-directory)/)],
  ['uniq', secondOperand],
  ['xxd', either(secondOperand, any(/^-[a-z]*r/))],
  ['tree', any(/^-o|^--output/)],
  ['file', any(/^-[a-zA-Z]*C|^--compile/)],
  ['yq', any(/^(?:-[a-zA-Z]*i|--inplace)/)],
  ['tee', (word) => !word.startsWith('-') && word !== '/dev/null'],
  ['dd', any(/^of=/)],
  ['split', (word) => word.startsWith('--filter')],
  ['tar', any(/^(?:-[a-zA-Z]*[IF]|--(?:checkpoint-action|to-command|use-compress-program|rsh-command|rmt-command|info-script|new-volume-script))/)],
  ['zip', any(/^(?:-T|--test|--unzip-command)/)],
  ['sed', sed], ['gsed', sed],
  ['awk', awk], ['gawk', awk], ['mawk', awk], ['nawk', awk],
  ['man', any(/^(?:-[a-zA-Z]*[PH]|--pager|--html)/)],
  ['less', any(/^(?:-[oO]|--log-file|--LOG-FILE|\+)/)],
  ['curl', any(/^(?:-[a-zA-Z]*[oOKDc]|--(?:output|remote-name|config|dump-header|cookie-jar|trace|libcurl|etag-save|hsts|alt-svc|engine|stderr))/)],
  ['wget', any(/^(?:-[a-zA-Z]*[Oioae]|--(?:output|execute|use-askpass|input-file|config|append-output|post-file|body-file))/)],
  ['ssh', any(/^(?:-[a-zA-Z]*[oFw]|--)/)],
  ['scp', any(/^-[a-zA-Z]*[oFSD]/)],
  ['sftp', any(/^-[a-zA-Z]*[oFSbD]/)],
  ['rsync', any(/^(?:-[a-zA-Z]*e|--(?:rsh|rsync-path|write-batch|log-file|files-from|partial-dir|temp-dir))/)],
  ['make', any(/^(?:-[a-zA-Z]*[fCIE]|--(?:file|makefile|directory|include-dir|eval)|SHELL=|MAKEFLAGS=)/)],
  ['gmake', any(/^(?:-[a-zA-Z]*[fCIE]|--(?:file|makefile|directory|include-dir|eval)|SHELL=|MAKEFLAGS=)/)],
  ['go', any(/^--?(?:exec|toolexec|overlay|modfile)(?:=|$)/)],
  ['cargo', any(/^(?:--config|-Z|-C)/)],
  ['npm', any(/^--(?:script-shell|prefix|globalconfig|userconfig|node-options|ignore-scripts=false)/)],
  ['pnpm', any(/^(?:--(?:script-shell|dir|config)|-C)/)],
  ['yarn', any(/^--(?:script-shell|cwd|use-yarnrc)/)],
  ['docker', (word, at) => (at === 1 && /^(?:run|exec|create|cp|compose|buildx|build|plugin|container|context)$/.test(word)) || /^(?:-H|--host|--config|-c|--context)/.test(word)],
  ['podman', (word, at) => at === 1 && /^(?:run|exec|create|cp|build|container|kube|machine|unshare|mount)$/.test(word)],
  ['kubectl', (word, at) => (at === 1 && /^(?:exec|run|cp|debug|plugin|proxy|port-forward)$/.test(word)) || /^--(?:kubeconfig|exec)/.test(word)],
  ['tcpdump', any(/^-[a-zA-Z]*[zwW]/)],
  ['openssl', any(/^-(?:engine|out|keyout|provider-path)/)],
  ['mysql', any(/^(?:-e|--execute|--tee|--pager)/)],
  ['psql', any(/^(?:-[a-zA-Z]*[coLf]|--(?:command|output|log-file|file))/)],
  ['sqlite3', any(/^-(?:init|cmd)|\.(?:shell|system|output|once|import|load|save|backup)/)],
]);

/** True when a word from the index `from` on makes the program run another one or write a file beside its purpose. */
export function hasRiskyArgument(words: readonly ShellWord[], from: number): boolean {
  const texts = words.map(({ text }) => text);
  const risk = RISKS.get(baseName(texts[0] ?? ''));
  return risk !== undefined && texts.some((text, at) => at >= Math.max(from, 1) && risk(text, at, texts));
}
