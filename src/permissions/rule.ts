import { canonicalToolName } from '../protocol/tool-names.ts';
import { parsePathPattern, type PathPattern } from './path-pattern.ts';
import { ruleWords } from './shell/rule-words.ts';

/** A rule without a specification: every call of a tool. */
export interface ToolRule {
  readonly kind: 'tool';
  readonly text: string;
  readonly tool: string;
}

/** Every tool whose name begins so: `mcp__server__*`. */
export interface ToolsRule {
  readonly kind: 'tools';
  readonly text: string;
  readonly prefix: string;
}

/** `Bash(npm test)` (exact) and `Bash(git:*)` (prefix): whole words after quote removal. */
export interface CommandRule {
  readonly kind: 'command';
  readonly text: string;
  readonly match: 'exact' | 'prefix';
  readonly words: readonly string[];
}

/** `Read(src/**)`, `Edit(//abs)`: files and folders. */
export interface PathRule {
  readonly kind: 'path';
  readonly text: string;
  readonly tool: string;
  readonly pattern: PathPattern;
}

/** `WebFetch(domain:x)`, `Browser(domain:x)`: one host, or with `*.x` the hosts below it. */
export interface DomainRule {
  readonly kind: 'domain';
  readonly text: string;
  readonly tool: 'WebFetch' | 'Browser';
  readonly host: string;
  readonly below: boolean;
}

/** `Skill(name*)`, `Task(type)`. */
export interface NameRule {
  readonly kind: 'name';
  readonly text: string;
  readonly tool: 'Skill' | 'Task';
  readonly name: string;
  readonly match: 'exact' | 'prefix';
}

/** `Network(host)`, `Network(*.host)`, `Network(localhost:PORT)`: what commands, and tools that fetch, may reach. */
export interface NetworkRule {
  readonly kind: 'network';
  readonly text: string;
  /** As a URL has it; empty for every host, which only deny and ask rules may say. */
  readonly host: string;
  readonly below: boolean;
  readonly port: number | undefined;
}

/** `Env(NAME)`: a variable of the environment that commands get. */
export interface VariableRule {
  readonly kind: 'variable';
  readonly text: string;
  /** Empty for every variable, which only deny and ask rules may say. */
  readonly name: string;
}

/** A permission rule, ready to be compared with calls. `text` is what the person wrote. */
export type Rule = ToolRule | ToolsRule | CommandRule | PathRule | DomainRule | NameRule | NetworkRule | VariableRule;

/** A rule that was not understood; it grants nothing. */
export interface RuleProblem {
  readonly rule: string;
  readonly problem: string;
}

/** A parsed rule or its problem. */
export type RuleAnswer = { readonly rule: Rule } | { readonly problem: RuleProblem };

/** What a rule is for: one that grants has to write a tool's name in the right letter case, one that forbids does not. */
export type RulePurpose = 'grant' | 'restrict';

const READERS: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'LS']);
/** Names of rules that are no tools. */
const FOR_COMMANDS: ReadonlyMap<string, 'Network' | 'Env'> = new Map([['network', 'Network'], ['env', 'Env']]);
const EDITORS: ReadonlySet<string> = new Set(['Edit', 'Write', 'NotebookEdit']);

/** True when rules that name `tool` hold for calls of `called`: `Edit` for all editing tools, `Read` for all reading ones, `Browser` for those of the browser. */
export function rulesHoldFor(tool: string, called: string): boolean {
  return tool === called || (tool === 'Read' && READERS.has(called)) || (tool === 'Edit' && EDITORS.has(called)) || (tool === 'Browser' && isBrowserTool(called));
}

/** True for the tools of the browser, whose names all begin so. */
export function isBrowserTool(tool: string): boolean {
  return /^Browser[A-Z]/.test(tool);
}

/** Parses `Tool` or `Tool(specification)`. */
export function parseRule(given: string, options: { readonly purpose: RulePurpose }): RuleAnswer {
  const text = given.trim();
  const wrong = (problem: string): RuleAnswer => ({ problem: { rule: given, problem } });
  const parts = /^([A-Za-z][\w.-]*\*?)(?:\((.*)\))?$/s.exec(text);
  if (!parts) return wrong(`"${brief(text)}" is no rule: write Tool or Tool(specification), for example Bash(git status:*)`);
  const [, name = '', spec] = parts;
  if (name.endsWith('*') || name.startsWith('mcp__')) return parseToolsRule(text, { name, spec, wrong });
  const tool = FOR_COMMANDS.get(name.toLowerCase()) ?? canonicalToolName(name);
  if (options.purpose === 'grant' && tool !== name && tool.toLowerCase() === name.toLowerCase()) {
    return wrong(`"${brief(text)}" names no tool: letter case counts, write ${tool}`);
  }
  if (tool === 'Network' || tool === 'Env') {
    const given = (spec ?? '').trim();
    const all = options.purpose === 'restrict' && (given === '' || given === '*');
    const parsed = tool === 'Network' ? parseNetwork(text, given, all) : parseVariable(text, given, all);
    return typeof parsed === 'string' ? wrong(`"${brief(text)}": ${parsed}`) : { rule: parsed };
  }
  if (spec === undefined) return { rule: { kind: 'tool', text, tool } };
  if (spec.trim() === '') return wrong(`"${brief(text)}" has nothing in its brackets: write ${tool} for every call`);
  const parsed = parseSpecification(text, tool, spec.trim());
  return typeof parsed === 'string' ? wrong(`"${brief(text)}": ${parsed}`) : { rule: parsed };
}

interface ToolsParts {
  readonly name: string;
  readonly spec: string | undefined;
  readonly wrong: (problem: string) => RuleAnswer;
}

function parseToolsRule(text: string, { name, spec, wrong }: ToolsParts): RuleAnswer {
  if (!name.startsWith('mcp__') || name === 'mcp__*') return wrong(`"${brief(text)}": a star in a tool's name is for one MCP server: write mcp__SERVER__*`);
  if (spec !== undefined) return wrong(`"${brief(text)}": rules for MCP tools take nothing in brackets`);
  if (name.endsWith('*')) {
    if (!/^mcp__[\w.-]+?__/.test(name)) return wrong(`"${brief(text)}": the server's name has to be whole: write mcp__SERVER__*`);
    return { rule: { kind: 'tools', text, prefix: name.slice(0, -1) } };
  }
  if (!name.slice('mcp__'.length).includes('__')) return { rule: { kind: 'tools', text, prefix: `${name}__` } };
  return { rule: { kind: 'tool', text, tool: name } };
}

/** The rule, or a sentence on what is wrong with its specification. */
function parseSpecification(text: string, tool: string, spec: string): Rule | string {
  if (tool === 'Bash') return parseCommand(text, spec);
  if (READERS.has(tool) || EDITORS.has(tool)) {
    if (spec === '*' || spec === '**') return { kind: 'tool', text, tool };
    const pattern = parsePathPattern(spec);
    return typeof pattern === 'string' ? pattern : { kind: 'path', text, tool, pattern };
  }
  if (tool === 'WebFetch' || tool === 'Browser') return parseDomain(text, tool, spec);
  if (tool === 'Skill' || tool === 'Task') return parseName(text, tool, spec);
  return `${tool} takes nothing in brackets; write ${tool}`;
}

function parseCommand(text: string, spec: string): Rule | string {
  if (spec === '*') return { kind: 'tool', text, tool: 'Bash' };
  const marked = /^(.*?)(?::\*| \*)$/s.exec(spec);
  const command = ruleWords(marked?.[1] ?? spec);
  if ('why' in command) return `its command grants nothing because ${command.why}; write one plain command, or a prefix such as Bash(git status:*)`;
  return { kind: 'command', text, match: marked ? 'prefix' : 'exact', words: command.words };
}

function parseDomain(text: string, tool: DomainRule['tool'], spec: string): Rule | string {
  const [, star, host = ''] = /^domain:\s*(\*\.)?(.+)$/i.exec(spec) ?? [];
  const name = normalHost(host);
  if (!/^(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+$|^\[[0-9a-f:.]+\]$/u.test(name)) return `write ${tool}(domain:example.com) or ${tool}(domain:*.example.com)`;
  return { kind: 'domain', text, tool, host: name, below: star !== undefined };
}

function parseName(text: string, tool: 'Skill' | 'Task', spec: string): Rule | string {
  if (spec === '*') return { kind: 'tool', text, tool };
  const name = spec.replace(/:?\*$/, '');
  if (name === '' || name.includes('*')) return `write ${tool}(name), or ${tool}(name*) for all that begin so`;
  return { kind: 'name', text, tool, name, match: name === spec ? 'exact' : 'prefix' };
}

function parseNetwork(text: string, spec: string, all: boolean): NetworkRule | string {
  if (all) return { kind: 'network', text, host: '', below: false, port: undefined };
  const [, star, given = '', digits] = /^(\*\.)?(\[[0-9a-f:.]+\]|[^:[\]/?#@%\\\s]+)(?::(\d{1,5}))?$/i.exec(spec) ?? [];
  const host = normalHost(given);
  const port = digits === undefined ? undefined : Number(digits);
  const isHost = /^(?:[a-z\d_-]+\.)*[a-z\d_-]+$|^\[[0-9a-f:.]+\]$/.test(host);
  if (!isHost || port === 0 || (port ?? 0) > 65_535 || (star !== undefined && /^[\d.]+$|:/.test(host))) return 'write Network(example.com), Network(*.example.com), Network(example.com:8443) or Network(localhost:PORT)';
  if (!isThisMachine(host)) return { kind: 'network', text, host, below: star !== undefined, port };
  if (port === undefined || star !== undefined) return 'a rule for this machine names the port: write Network(localhost:PORT)';
  return { kind: 'network', text, host: 'localhost', below: false, port };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^(?:127\.\d|0\.0\.0\.0$)/.test(host);
}

function parseVariable(text: string, spec: string, all: boolean): VariableRule | string {
  if (all) return { kind: 'variable', text, name: '' };
  if (!/^[A-Za-z_]\w*$/.test(spec)) return 'write Env(NAME) with the name of one variable of the environment';
  return { kind: 'variable', text, name: spec };
}

/** A host's name as it is compared: lower case, in ASCII, without the dot at its end. */
export function normalHost(host: string): string {
  const address = `http://${host.trim().replace(/\.$/, '')}/`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, '') : host.trim().toLowerCase();
}

function brief(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}
