import type { HookApproval, PermissionMode, PermissionNeed, PermissionVerdict } from '../protocol/permission.ts';
import { never } from '../util/never.ts';
import { commandFacts } from './command-facts.ts';
import { grantsWords, isCovered } from './command-rule.ts';
import { placeOf, type LocatedPath, type Place, type Workspace } from './places.ts';
import { onlyShows, type Restriction } from './restrict.ts';
import { isBrowserTool, type Rule } from './rule.ts';
import { grants, meets, type Subject } from './rule-match.ts';
import type { ParsedRules } from './rules.ts';
import type { ShellCommand, ShellText } from './shell/read-shell.ts';
import { suggestRules } from './suggest-rules.ts';

const MOST_NAMED = 5;

/** A call that wants to run. */
export interface DecidedCall {
  /** The tool's own name, aliases resolved. */
  readonly tool: string;
  readonly needs: readonly PermissionNeed[];
  /** The tool changes nothing outside the session; matters in plan mode for needs that do not say what they do. */
  readonly readOnly?: boolean;
}

/** Everything that a decision depends on. */
export interface DecisionRequest {
  readonly call: DecidedCall;
  readonly mode: PermissionMode;
  readonly rules: ParsedRules;
  readonly workspace: Workspace;
  /** Where the paths in the call's needs really lie; one that is missing here counts as outside. */
  readonly locate: readonly LocatedPath[];
  /** Reads texts of commands; see `shellReader`. */
  readonly readText?: (text: string) => ShellText;
  /** Set in a session that is bound to a skill with `allowed-tools`; see `restrictTo`. */
  readonly restriction?: Restriction;
  /**
   * A hook says that nobody has to be asked. It stands where an allow rule would, so deny and ask rules come first; that
   * of a skill lets pass only what a rule could cover, inside the workspace and off protected names.
   */
  readonly approval?: HookApproval | undefined;
}

/**
 * Decides a call: deny, then ask, then allow rules, then what the mode says. The strictest answer over all needs of
 * the call is the call's answer. Pure: the same request always has the same answer.
 */
export function decide(request: DecisionRequest): PermissionVerdict {
  const asked: Extract<PermissionVerdict, { verdict: 'ask' }>[] = [];
  for (const subject of subjectsOf(request)) {
    const verdict = decideSubject(subject, request);
    if (verdict.verdict === 'deny') return verdict;
    if (verdict.verdict === 'ask') asked.push(verdict);
  }
  if (asked.length === 0) return { verdict: 'allow' };
  // One need that no rule can cover makes "always" useless for the call.
  const rules = asked.every((one) => one.rules.length > 0) ? [...new Set(asked.flatMap((one) => one.rules))] : [];
  const reason = [...new Set(asked.map((one) => one.reason))].join('; ');
  if (request.mode !== 'dontAsk') return { verdict: 'ask', reason, rules };
  const way = rules.length > 0 ? `${rules.length === 1 ? 'the rule' : 'the rules'} ${rules.join(' and ')} would allow it` : 'no rule can allow it as it stands';
  return { verdict: 'deny', reason: `${reason}; the mode dontAsk denies what would ask; ${way}` };
}

/** The needs of a call with what is known of them, and the files that its command names; one subject for a call that needs nothing. */
export function subjectsOf({ call, locate, readText, rules, workspace }: Pick<DecisionRequest, 'call' | 'locate' | 'readText' | 'rules' | 'workspace'>): readonly Subject[] {
  const { tool } = call;
  if (call.needs.length === 0) return [{ tool, need: { action: 'none' }, place: undefined, workspace }];
  const place = (path: string): Place => placeOf(path, { locate, workspace });
  return call.needs.flatMap((need): readonly Subject[] => {
    // What a command does is done as by `Bash`, whatever tool runs it.
    if (need.action === 'command' && tool === 'Task') return subjectsOf({ call: { tool: 'Bash', needs: [need] }, locate, ...(readText ? { readText } : {}), rules, workspace });
    // What a page gives is written as by `Write`, and rules for either tool hold.
    if (need.action === 'edit' && isBrowserTool(tool)) return [{ tool, need: { action: 'none' }, place: undefined, workspace }, { tool: 'Write', need, place: place(need.path), workspace }];
    if (need.action !== 'command') return [{ tool, need, place: need.action === 'read' || need.action === 'edit' ? place(need.path) : undefined, workspace }];
    // Commands that only show something may do so without a question in the workspace alone.
    const command = commandFacts(need, need.cwd !== undefined && place(need.cwd).inRoots ? need.cwd : undefined, readText);
    const files = command.files.map(({ text, path, tool: like, shownBy }): Subject => ({
      tool: like,
      need: { action: like === 'Write' ? 'edit' : 'read', path: path ?? text },
      place: path === undefined ? placeOf(text, { locate: [], workspace }) : place(path),
      of: !shownBy ? 'redirect' : command.showing.has(shownBy) && !isGranted(shownBy, rules) ? 'operand' : 'covered',
      workspace,
    }));
    return [{ tool, need, place: undefined, command, workspace }, ...files];
  });
}

function isGranted(command: ShellCommand, { allow }: ParsedRules): boolean {
  return isCovered(command, (words) => allow.some((rule) => rule.kind === 'command' && grantsWords(rule, words)));
}

/** Commands of a text that no rule grants and that do more than show something. */
function notGranted({ command }: Subject, rules: ParsedRules): readonly ShellCommand[] {
  return command?.text.commands.filter((one) => !command.showing.has(one) && !isGranted(one, rules)) ?? [];
}

function decideSubject(subject: Subject, request: DecisionRequest): PermissionVerdict {
  const { mode, rules } = request;
  const restricted = request.restriction?.(subject);
  if (restricted !== undefined) return deny(restricted);
  const outside = refusedOutside(subject);
  if (outside !== undefined) return deny(outside);
  const denied = strongest(rules.deny, subject);
  if (denied?.certainty === 'certain') return deny(`the rule ${denied.rule.text} denies it`);
  if (subject.need.action === 'plan') {
    const step = decideStep(subject.need.step, mode);
    if (step) return step;
  }
  if (mode === 'plan') {
    const refused = refusedInPlan(subject, request.call);
    if (refused !== undefined) return deny(refused);
  }
  if (mode === 'unrestricted') return denied ? deny(`it may do what the rule ${denied.rule.text} denies; write it as a plain command`) : { verdict: 'allow' };
  if (denied) return ask(`it may do what the rule ${denied.rule.text} denies`, []);
  const asking = strongest(rules.ask, subject);
  if (asking) return ask(`the rule ${asking.rule.text} wants a question`, []);
  if (subject.of === 'covered' || rules.allow.some((rule) => grants(rule, subject))) return { verdict: 'allow' };
  const open = notGranted(subject, rules);
  const reason = reasonToAsk(subject, { mode, open });
  if (reason === undefined) return { verdict: 'allow' };
  const suggested = suggestRules(subject, open);
  return approves(request.approval, subject, suggested) ? { verdict: 'allow' } : ask(reason, suggested);
}

/** Of commands the sandbox sees to it that they reach no further. */
function refusedOutside({ need, place, of, workspace }: Subject): string | undefined {
  if (!workspace.confined || of !== undefined || (need.action !== 'read' && need.action !== 'edit')) return undefined;
  const isInside = need.action === 'read' ? place?.readable === true && !place.holdsClosed : place?.inRoots === true;
  return isInside ? undefined : `${need.path} lies outside the workspace, and users of this server work in theirs alone`;
}

/** Leaving plan mode is for the person alone: no rule, hook or skill can say yes in their place. Undefined where rules and mode decide. */
function decideStep(step: 'enter' | 'leave', mode: PermissionMode): PermissionVerdict | undefined {
  if (step === 'enter') return mode === 'plan' ? deny('plan mode is on already') : undefined;
  return mode === 'plan' ? ask('nothing is changed before you accept the plan', []) : deny('plan mode is not on, so no plan has to be accepted; go on with the work');
}

function approves(approval: HookApproval | undefined, { place }: Subject, suggested: readonly string[]): boolean {
  if (approval === 'person') return true;
  return approval === 'skill' && suggested.length > 0 && (place === undefined || (place.inRoots && place.protectedName === undefined));
}

/** A certain match, else a possible one. */
function strongest(rules: readonly Rule[], subject: Subject): { readonly rule: Rule; readonly certainty: 'certain' | 'possible' } | undefined {
  let possible: Rule | undefined;
  for (const rule of rules) {
    const certainty = meets(rule, subject);
    if (certainty === 'certain') return { rule, certainty };
    if (certainty === 'possible') possible ??= rule;
  }
  return possible && { rule: possible, certainty: 'possible' };
}

function refusedInPlan({ need, tool, command }: Subject, call: DecidedCall): string | undefined {
  const planOn = 'plan mode is on: nothing is changed until the plan is accepted';
  switch (need.action) {
    case 'edit': case 'memory': return planOn;
    case 'command': return command && onlyShows(command) ? undefined : `${planOn}, so no command runs that does more than show something`;
    case 'tool': return call.readOnly === true ? undefined : `${planOn}, and ${tool} may change something`;
    case 'network': return need.acts ? `${planOn}, and ${tool} acts on a page` : undefined;
    case 'read': case 'skill': case 'task': case 'plan': case 'none': return undefined;
    default: return never(need);
  }
}

/** What the mode itself says to a call that no rule decides; undefined lets it pass. */
function reasonToAsk({ need, tool, place, command }: Subject, { mode, open }: { readonly mode: PermissionMode; readonly open: readonly ShellCommand[] }): string | undefined {
  switch (need.action) {
    case 'none': case 'skill': case 'task': return undefined;
    case 'read':
      if (!place?.readable) return `${need.path} lies outside the workspace`;
      // A search shows the text of everything below its folder.
      return tool === 'Grep' && place.holdsClosed ? `a search in ${need.path} shows skillmint's own data, too` : undefined;
    case 'edit':
      if (!place?.inRoots) return `${need.path} lies outside the workspace`;
      if (place.protectedName !== undefined) return `${need.path} is protected: ${place.protectedName} can decide what runs later`;
      return mode === 'acceptEdits' ? undefined : `it changes ${need.path}`;
    case 'command':
      if (command?.text.unclear !== undefined) return `it runs a command that no rule can cover: ${command.text.unclear}`;
      return open.length === 0 ? undefined : `it runs ${namesOf(open)}`;
    // What is kept there is read by later sessions.
    case 'memory': return mode === 'acceptEdits' ? undefined : `it changes the memory that later sessions read (${need.key})`;
    case 'network': return need.acts ? `it acts on a page of ${hostOf(need.url)}` : `it sends a request to ${hostOf(need.url)}`;
    case 'plan': return 'it wants to look around and make a plan before it changes anything';
    case 'tool': return `${tool} may act outside the workspace`;
    default: return never(need);
  }
}

function namesOf(commands: readonly ShellCommand[]): string {
  const names = [...new Set(commands.map(({ words, assigned }) => words[0]?.text ?? `${assigned[0] ?? ''}=`))];
  return names.length <= MOST_NAMED ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that cannot be read';
}

function deny(reason: string): PermissionVerdict {
  return { verdict: 'deny', reason };
}

function ask(reason: string, rules: readonly string[]): PermissionVerdict {
  return { verdict: 'ask', reason, rules };
}
