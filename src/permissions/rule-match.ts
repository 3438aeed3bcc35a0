import type { PermissionNeed } from '../protocol/permission.ts';
import { never } from '../util/never.ts';
import type { CommandFacts } from './command-facts.ts';
import { meetsCommand, type Certainty } from './command-rule.ts';
import { matchesSegment } from '../util/glob.ts';
import { originalsOf } from './original-path.ts';
import { matchesPath, mayMatchBelow, spells } from './path-pattern.ts';
import type { Place, Workspace } from './places.ts';
import { isBrowserTool, normalHost, rulesHoldFor, type DomainRule, type NameRule, type NetworkRule, type PathRule, type Rule } from './rule.ts';

/** One need of a call with what is known of it; `none` stands for a call that needs nothing. */
export interface Subject {
  readonly tool: string;
  readonly need: PermissionNeed | { readonly action: 'none' };
  /** Set for needs with a path. */
  readonly place: Place | undefined;
  /** Set for needs with a command. */
  readonly command?: CommandFacts;
  /** Set for a file that a command's text names: the shell opens it, or the command shows it. `covered` where that command is decided on as a whole, so that only deny and ask rules speak of the file. */
  readonly of?: 'redirect' | 'operand' | 'covered';
  readonly workspace: Workspace;
}

/** How surely a deny or ask rule meets the subject. */
export function meets(rule: Rule, subject: Subject): Certainty {
  switch (rule.kind) {
    case 'tool': return sure(rulesHoldFor(rule.tool, subject.tool));
    case 'tools': return sure(subject.tool.startsWith(rule.prefix));
    case 'command': return subject.command ? meetsCommand(rule, subject.command.heads) : 'no';
    case 'path': return meetsPath(rule, subject);
    case 'domain': return sure(matchesDomain(rule, subject));
    case 'network': return sure(matchesNetwork(rule, subject));
    case 'variable': return 'no';
    case 'name': return sure(namesMet(subject).some((name) => matchesName(rule, subject, name)));
    default: return never(rule);
  }
}

/** All names that lead to what the subject is about. */
function namesMet(subject: Subject): readonly string[] {
  const { need } = subject;
  return need.action === 'skill' && need.typed !== undefined ? [...ownNames(subject), need.typed] : ownNames(subject);
}

/** The names that it really has. */
function ownNames({ need }: Subject): readonly string[] {
  if (need.action === 'task') return [need.agent];
  if (need.action !== 'skill') return [];
  return need.id === undefined ? [need.skill] : [need.skill, need.id];
}

function sure(met: boolean): Certainty {
  return met ? 'certain' : 'no';
}

/** True when an allow rule covers the subject. */
export function grants(rule: Rule, subject: Subject): boolean {
  const { place } = subject;
  if (place?.protectedName !== undefined && subject.need.action === 'edit') return rule.kind === 'path' && spells(rule.pattern, place.protectedName) && grantsPath(rule, subject);
  switch (rule.kind) {
    case 'tool': return (rulesHoldFor(rule.tool, subject.tool) || (rule.tool === 'Bash' && subject.of !== undefined)) && grantsWithoutSpecification(subject);
    case 'tools': return subject.tool.startsWith(rule.prefix);
    // Which of the commands in a text are covered is found out for all rules together.
    case 'command': return false;
    case 'path': return grantsPath(rule, subject);
    // Whoever lets a page be read has not said yet what may be done on it.
    case 'domain': return matchesDomain(rule, subject) && (rule.tool === 'Browser' || !acts(subject));
    case 'network': return matchesNetwork(rule, subject);
    // It gives commands a variable and decides no call.
    case 'variable': return false;
    case 'name': return ownNames(subject).some((name) => matchesName(rule, subject, name));
    default: return never(rule);
  }
}

/** Outside of the workspace a rule has to name the place, and no rule decides a command that cannot be read. */
function grantsWithoutSpecification({ need, place, command }: Subject): boolean {
  if (command) return !command.text.undecided;
  if (place?.holdsClosed) return false;
  return place === undefined || place.inRoots || (place.readable && need.action === 'read');
}

function grantsPath(rule: PathRule, subject: Subject): boolean {
  const real = subject.place?.real;
  if (real === undefined || !rulesHoldFor(rule.tool, subject.tool)) return false;
  return matchesPath(rule.pattern, real, { ...baseOf(subject.workspace), below: false });
}

/** Against the path as written and as it really is; what lies below a denied folder is denied. */
function meetsPath(rule: PathRule, { tool, place, workspace, of }: Subject): Certainty {
  if (!place || !rulesHoldFor(rule.tool, tool)) return 'no';
  // Where it lies is only known when the command runs.
  if (of !== undefined && place.real === undefined) return tool === 'LS' ? 'no' : 'possible';
  const { folder, home } = baseOf(workspace);
  // What holds for a file holds for its copy in a worktree, too.
  const paths = [...originalsOf(place.path), ...(place.real === undefined || place.real === place.path ? [] : originalsOf(place.real))];
  const bases = originalsOf(folder).map((one) => ({ folder: one, home }));
  const fits = (test: (path: string, base: (typeof bases)[number]) => boolean): boolean => paths.some((path) => bases.some((base) => test(path, base)));
  if (fits((path, base) => matchesPath(rule.pattern, path, { ...base, below: true }))) return 'certain';
  // A search shows the text of everything below its folder.
  return tool === 'Grep' && fits((path, base) => mayMatchBelow(rule.pattern, path, base)) ? 'possible' : 'no';
}

function baseOf(workspace: Workspace): { readonly folder: string; readonly home: string } {
  return { folder: workspace.roots[0] ?? '/', home: workspace.home };
}

function acts({ need }: Subject): boolean {
  return need.action === 'network' && need.acts === true;
}

/** Rules for `WebFetch` speak of pages in the browser, too. */
function matchesDomain(rule: DomainRule, { tool, need }: Subject): boolean {
  const isMeant = isBrowserTool(tool) || (rule.tool === 'WebFetch' && tool === 'WebFetch');
  if (!isMeant || need.action !== 'network' || !URL.canParse(need.url)) return false;
  const host = normalHost(new URL(need.url).hostname);
  return rule.below ? host.endsWith(`.${rule.host}`) : host === rule.host;
}

/** For tools that fetch; what commands may reach is decided where they run. */
function matchesNetwork(rule: NetworkRule, { need }: Subject): boolean {
  if (need.action !== 'network' || !URL.canParse(need.url)) return false;
  const { hostname, port, protocol } = new URL(need.url);
  const host = normalHost(hostname);
  const named = rule.host === '' || (rule.below ? host.endsWith(`.${rule.host}`) : (['127.0.0.1', '[::1]'].includes(host) ? 'localhost' : host) === rule.host);
  return named && (rule.port === undefined || rule.port === Number(port || (protocol === 'https:' ? 443 : 80)));
}

function matchesName(rule: NameRule, { tool }: Subject, name: string): boolean {
  return tool === rule.tool && matchesSegment(rule.match === 'prefix' ? `${rule.name}*` : rule.name, name);
}
