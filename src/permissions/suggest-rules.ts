import type { PermissionNeed } from '../protocol/permission.ts';
import { never } from '../util/never.ts';
import { isWithin, segmentsOf } from './path-pattern.ts';
import { isBrowserTool, normalHost } from './rule.ts';
import type { Subject } from './rule-match.ts';
import { literalPath } from './rules.ts';
import type { ShellCommand } from './shell/read-shell.ts';
import { hasRiskyArgument } from './shell/risky-arguments.ts';
import type { ShellWord } from './shell/shell-word.ts';
import { mayRunOthers, throughWrapper } from './shell/wrappers.ts';

/** Programs whose first word says what they do; a prefix with it is narrow enough. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set([
  'git', 'npm', 'pnpm', 'yarn', 'cargo', 'go', 'pip', 'pip3', 'poetry', 'gh', 'kubectl', 'terraform', 'helm', 'dotnet', 'composer', 'bundle', 'gem', 'brew', 'apt', 'systemctl', 'rustup', 'mvn', 'gradle',
]);

/** Their subcommands that run whatever their arguments name. */
const RUNNING: ReadonlySet<string> = new Set([
  'git config', 'git bisect', 'git filter-branch', 'git submodule', 'git rebase', 'git difftool', 'git mergetool', 'git worktree', 'npm exec', 'npm x', 'npm init', 'npm create',
  'pnpm exec', 'pnpm dlx', 'yarn exec', 'yarn dlx', 'yarn node', 'go run', 'go generate', 'cargo run', 'cargo install', 'poetry run', 'bundle exec', 'kubectl exec', 'kubectl run', 'gh api', 'gh alias', 'dotnet run', 'dotnet exec', 'composer exec',
]);

/** Subcommands that take the name of a script: the prefix has three words. */
const NAMING: ReadonlySet<string> = new Set(['npm run', 'npm run-script', 'pnpm run', 'yarn run', 'composer run', 'composer run-script']);

/** Programs that only show, whatever their arguments. */
const SHOWING: ReadonlySet<string> = new Set(['ls', 'cat', 'head', 'tail', 'wc', 'echo', 'pwd', 'which', 'grep', 'stat', 'file', 'du', 'df', 'basename', 'dirname', 'realpath', 'cmp', 'nl', 'cut', 'tr', 'whoami', 'uname']);

/** The rules that an answer "always" would store for a subject, one for each of its `open` commands; none where no rule could cover it safely. */
export function suggestRules(subject: Subject, open: readonly ShellCommand[]): readonly string[] {
  const { need, tool } = subject;
  switch (need.action) {
    case 'command': return subject.command?.text.unclear === undefined ? suggestCommands(open) : [];
    case 'read': return suggestPath('Read', subject);
    case 'edit': return suggestPath('Edit', subject);
    case 'network': return [suggestNetwork(tool, need)];
    case 'skill': return /[*()\n]/.test(need.skill) ? [] : [`Skill(${need.skill})`];
    case 'task': return /[*()\n]/.test(need.agent) ? [] : [`Task(${need.agent})`];
    case 'plan': return need.step === 'enter' ? [tool] : [];
    case 'tool': case 'memory': return [tool];
    case 'none': return [tool];
    default: return never(need);
  }
}

function suggestCommands(open: readonly ShellCommand[]): readonly string[] {
  const rules = open.map(({ words, assigned }) => (assigned.length > 0 ? undefined : suggestCommand(words)));
  return rules.every((rule) => rule !== undefined) ? [...new Set(rules)] : [];
}

function suggestCommand(given: readonly ShellWord[]): string | undefined {
  const words = throughWrapper(given) ?? given;
  const prefix = prefixLength(words);
  const length = hasRiskyArgument(words, prefix) ? 0 : prefix;
  const kept = length === 0 ? words : words.slice(0, length);
  if (kept.some((word) => !word.static || /[\n\t]/.test(word.text))) return undefined;
  return `Bash(${kept.map((word) => quoted(word.text)).join(' ')}${length === 0 ? '' : ':*'})`;
}

/** Number of words that the prefix needs; 0 when only the exact command is safe to keep. */
function prefixLength(words: readonly ShellWord[]): number {
  const [program = '', second, third] = words.map((word) => word.text);
  if (mayRunOthers(program)) return 0;
  if (SHOWING.has(program)) return 1;
  if (!WITH_SUBCOMMANDS.has(program) || second === undefined || !/^[a-z]/.test(second)) return 0;
  const both = `${program} ${second}`;
  if (RUNNING.has(both)) return 0;
  if (NAMING.has(both)) return third === undefined || third.startsWith('-') ? 0 : 3;
  return 2;
}

/** A word as the shell and the rule parser read it back. */
function quoted(word: string): string {
  return /^[\w./=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The folder of the file, from the session's folder where it lies below; a protected file alone, by its full path. */
function suggestPath(rule: 'Read' | 'Edit', { place, workspace, tool }: Subject): readonly string[] {
  if (place?.real === undefined || /[()\n]/.test(place.real)) return [];
  const { real } = place;
  if (rule === 'Edit' && place.protectedName !== undefined) return [`Edit(//${segmentsOf(literalPath(real)).join('/')})`];
  const names = segmentsOf(real);
  const folder = tool === 'Grep' || tool === 'Glob' || tool === 'LS' ? names : names.slice(0, -1);
  if (folder.length === 0) return [];
  const root = workspace.roots[0];
  const inside = root !== undefined && isWithin(root, real);
  const kept = inside ? folder.slice(segmentsOf(root).length) : folder;
  const path = literalPath(kept.join('/'));
  return [`${rule}(${inside ? './' : '//'}${path === '' ? '' : `${path}/`}**)`];
}

function suggestNetwork(tool: string, { url, acts }: Extract<PermissionNeed, { action: 'network' }>): string {
  if ((tool !== 'WebFetch' && !isBrowserTool(tool)) || !URL.canParse(url)) return tool;
  const { hostname, port, protocol } = new URL(url);
  // Nothing but a rule for its port leads to a server of this machine.
  if (/^(?:localhost\.?|127\.0\.0\.1|\[::1\])$/.test(hostname)) return `Network(localhost:${port || (protocol === 'https:' ? '443' : '80')})`;
  return `${acts ? 'Browser' : 'WebFetch'}(domain:${normalHost(hostname)})`;
}
