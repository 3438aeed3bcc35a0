import { never } from '../util/never.ts';
import { matchesPath } from './path-pattern.ts';
import { coversCommand } from './command-rule.ts';
import type { CommandRule, Rule } from './rule.ts';
import { grants, type Subject } from './rule-match.ts';
import { simpleCommand } from './simple-command.ts';

/** Says why a call lies outside of what a skill allows, or undefined when it is inside. */
export type Restriction = (subject: Subject) => string | undefined;

/**
 * The restriction of a session that is bound to a skill with `allowed-tools`: it has only the tools listed, each within
 * its specification. The list takes rights away and gives none: what it lets pass is still decided by rules and mode.
 */
export function restrictTo(allowed: readonly Rule[]): Restriction {
  return (subject) => {
    const named = allowed.filter((rule) => names(rule, subject.tool));
    if (named.length === 0) return `this skill does not allow the tool ${subject.tool}`;
    if (named.some((rule) => admits(rule, subject))) return undefined;
    return `this skill allows ${subject.tool} only within ${named.map((rule) => rule.text).join(', ')}`;
  };
}

/** Here a tool's name stands for itself alone: `Edit` does not bring `Write`. */
function names(rule: Rule, tool: string): boolean {
  switch (rule.kind) {
    case 'tools': return tool.startsWith(rule.prefix);
    case 'command': return tool === 'Bash';
    case 'domain': return tool === 'WebFetch';
    case 'tool': case 'path': case 'name': return rule.tool === tool;
    default: return never(rule);
  }
}

function admits(rule: Rule, subject: Subject): boolean {
  if (rule.kind === 'tool' || rule.kind === 'tools' || subject.need.action === 'none') return true;
  if (rule.kind === 'command') return subject.need.action === 'command' && coversText(rule, subject.need.command);
  if (rule.kind !== 'path') return grants(rule, subject);
  const real = subject.place?.real;
  const base = { folder: subject.workspace.roots[0] ?? '/', home: subject.workspace.home, below: false };
  return real !== undefined && matchesPath(rule.pattern, real, base);
}

/** The list takes rights away, so `Bash(node *)` means what it says, although as an allow rule it would grant nothing. */
function coversText(rule: CommandRule, text: string): boolean {
  const command = simpleCommand(text);
  return command.plain && coversCommand(rule, command.words);
}
