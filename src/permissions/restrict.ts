import { never } from '../util/never.ts';
import { matchesPath } from './path-pattern.ts';
import { coversWords, isCovered } from './command-rule.ts';
import type { CommandFacts } from './command-facts.ts';
import { isBrowserTool, type Rule } from './rule.ts';
import { grants, type Subject } from './rule-match.ts';

/** Says why a call lies outside of what a skill allows, or undefined when it is inside. */
export type Restriction = (subject: Subject) => string | undefined;

/**
 * The restriction of a session that is bound to a skill with `allowed-tools`: it has only the tools listed, each within
 * its specification. `who` has made the list. The list takes rights away and gives none: what it lets pass is still decided by rules and mode.
 */
export function restrictTo(allowed: readonly Rule[], who = 'this skill'): Restriction {
  return (subject) => {
    if (subject.of === 'operand' || subject.of === 'covered') return undefined;
    const tool = subject.of === undefined ? subject.tool : 'Bash';
    const named = allowed.filter((rule) => names(rule, tool));
    if (named.length === 0) return `${who} does not allow the tool ${tool}`;
    if (subject.command ? admitsCommand(named, subject.command) : allowed.some((rule) => (names(rule, subject.tool) || names(rule, tool)) && admits(rule, subject))) return undefined;
    return `${who} allows ${tool} only within ${named.map((rule) => rule.text).join(', ')}`;
  };
}

/** True for a text that is understood and whose commands do no more than show something. */
export function onlyShows({ text, showing }: Pick<CommandFacts, 'text' | 'showing'>): boolean {
  return text.unclear === undefined && text.commands.length > 0 && text.commands.every((one) => showing.has(one));
}

/** The restriction of an agent that only looks: no file is changed, and commands may only show something. */
export function restrictToLooking(who: string): Restriction {
  return ({ need, tool, command }) => {
    switch (need.action) {
      case 'edit': case 'memory': return `${who} only looks: it changes nothing`;
      case 'command': return command && onlyShows(command) ? undefined : `${who} only looks: it runs no command that does more than show something`;
      case 'tool': return `${who} only looks, and ${tool} may change something`;
      case 'network': return need.acts ? `${who} only looks, and ${tool} acts on a page` : undefined;
      case 'read': case 'skill': case 'task': case 'plan': case 'none': return undefined;
      default: return never(need);
    }
  };
}

/** Here a tool's name stands for itself alone: `Edit` does not bring `Write`. */
function names(rule: Rule, tool: string): boolean {
  switch (rule.kind) {
    case 'tools': return tool.startsWith(rule.prefix);
    case 'command': return tool === 'Bash';
    case 'domain': return rule.tool === tool || (rule.tool === 'Browser' && isBrowserTool(tool));
    case 'network': case 'variable': return false;
    case 'tool': return rule.tool === tool || (rule.tool === 'Browser' && isBrowserTool(tool));
    case 'path': case 'name': return rule.tool === tool;
    default: return never(rule);
  }
}

function admits(rule: Rule, subject: Subject): boolean {
  if (rule.kind === 'tool' || rule.kind === 'tools' || subject.need.action === 'none') return true;
  if (rule.kind === 'command') return false;
  if (rule.kind !== 'path') return grants(rule, subject);
  const real = subject.place?.real;
  const base = { folder: subject.workspace.roots[0] ?? '/', home: subject.workspace.home, below: false };
  return real !== undefined && matchesPath(rule.pattern, real, base);
}

/** The list takes rights away, so `Bash(node *)` means what it says, although as an allow rule it would grant nothing. */
function admitsCommand(named: readonly Rule[], { text }: CommandFacts): boolean {
  if (named.some((rule) => rule.kind === 'tool' || rule.kind === 'tools')) return true;
  const covers = (words: Parameters<typeof coversWords>[1]): boolean => named.some((rule) => rule.kind === 'command' && coversWords(rule, words));
  return text.unclear === undefined && text.commands.length > 0 && text.commands.every((one) => isCovered(one, covers));
}
