import { forEachChild, parse, type Command, type ParameterExpansionPart, type ParsedScript, type Redirection, type SyntaxNode } from 'unbash';
import { isUnreadable, whyUndecided } from './undecided.ts';
import { shellWord, type ShellWord } from './shell-word.ts';
import { isOwnVariable } from './variables.ts';

/** One simple command of a shell text, wherever in it it stands. */
export interface ShellCommand {
  /** Names of variables that are set before its words; for a command without words, in the shell itself. */
  readonly assigned: readonly string[];
  readonly words: readonly ShellWord[];
}

/** A file that the shell itself opens for a command. */
export interface ShellRedirect {
  readonly opens: 'read' | 'write';
  readonly target: ShellWord;
}

/** What a shell text runs, found without running anything. */
export interface ShellText {
  /** All of them: in lists, loops, branches, functions, substitutions, here-documents. */
  readonly commands: readonly ShellCommand[];
  readonly redirects: readonly ShellRedirect[];
  /** Why it cannot be told for sure what it runs, as the end of "it runs a command that no rule can cover: …". */
  readonly unclear?: string;
  /** Part of the text could not be read, so there may be commands that `commands` lacks. */
  readonly partial: boolean;
  /** No rule at all decides the text: it cannot be read, is too long, or holds control characters. */
  readonly undecided: boolean;
}

interface Collector {
  readonly commands: ShellCommand[];
  readonly redirects: ShellRedirect[];
  unclear?: string;
  partial: boolean;
  undecided: boolean;
}

const CALCULATES = 'it calculates with a variable, whose value may hold commands';
const HIDES = 'what stands between quotes inside of ${…} in it may be run';
const OPEN = 'its here-document has no end, so that lines below it may belong to another one';
const TORN = 'a bracket in it stands where none may stand';
const SPLIT = 'a backslash at the end of a line in it splits what may belong together';
const TOO_DEEP = 'it is too long, or nested too deep';

/** Comparisons of `[[ … ]]` that calculate with their operands, and so run substitutions that a variable holds. */
const CALCULATING = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

/** Makes what reads each text once: a decision looks at the text of its command several times. */
export function shellReader(): (text: string) => ShellText {
  const known = new Map<string, ShellText>();
  return (text) => {
    const read = known.get(text) ?? readShell(text);
    known.set(text, read);
    return read;
  };
}

/** Reads a text as bash would. Never throws, whatever the text. */
export function readShell(text: string): ShellText {
  const collector: Collector = { commands: [], redirects: [], partial: false, undecided: false };
  const why = whyUndecided(text);
  if (why !== undefined) Object.assign(collector, { unclear: why, undecided: true });
  if (isUnreadable(text)) return { ...collector, unclear: TOO_DEEP, partial: true, undecided: true };
  // bash joins the lines before it looks for operators, the parser afterwards.
  if (/[$<>()&|;{}!#`]\\\n\S|\S\\\n[$<>()&|;{}!#`]/.test(text)) Object.assign(collector, { unclear: SPLIT, partial: true, undecided: true });
  try {
    visit(collector, parse(text), text);
    return collector;
  } catch (error) {
    // Text that nests deeper than the parser's stack reaches.
    if (!(error instanceof RangeError)) throw error;
    return { ...collector, unclear: TOO_DEEP, partial: true, undecided: true };
  }
}

/** `source` is what the positions of nodes are places in. */
function visit(collector: Collector, node: SyntaxNode, source: string): void {
  const why = unclear(node) ?? (isTorn(node, source) ? TORN : undefined);
  if (why !== undefined) {
    collector.unclear ??= why;
    if (node.type === 'Script' || why === TORN || why === HIDES || why === OPEN || why === TOO_DEEP) Object.assign(collector, { partial: true, undecided: true });
  }
  if (node.type === 'Command') collector.commands.push(commandOf(node));
  if (node.type === 'Redirect' || node.type === 'HereString' || node.type === 'HereDoc') collectRedirect(collector, node);
  const inner = node.type === 'Script' ? (node.source ?? source) : source;
  forEachChild(node, (child) => visit(collector, child, inner));
}

function commandOf({ prefix, name, args }: Command): ShellCommand {
  const words = [...(name ? [name] : []), ...args].map((word) => (word.type === 'Assignment' ? { text: word.text, static: false, expands: false } : shellWord(word)));
  return { assigned: prefix.flatMap((one) => (one.type === 'Assignment' ? [one.name] : [])), words };
}

function collectRedirect(collector: Collector, redirection: Redirection): void {
  if (redirection.type !== 'Redirect') return;
  const { operator, target } = redirection;
  if (!target) return;
  if ((operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(target.text)) return;
  const word = shellWord(target);
  if (word.static && /^\/dev\/(?:null|stdin|stdout|stderr)$/.test(word.text)) return;
  collector.redirects.push({ opens: operator === '<' ? 'read' : 'write', target: word });
}

/** What in a node itself keeps it from being told what it runs. */
function unclear(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'Script': return problemOf(node);
    case 'CommandExpansion': case 'ProcessSubstitution': case 'ArithmeticCommandExpansion': return node.script ? undefined : TOO_DEEP;
    case 'ArithmeticExpansion': case 'ArithmeticCommand': return node.expression ? undefined : CALCULATES;
    case 'ArithmeticWord': return isNumber(node.value) ? undefined : CALCULATES;
    case 'TestUnary': return /^-[vR]$/.test(node.operator) ? CALCULATES : undefined;
    // An index is calculated, also that of an array without a name of its own.
    case 'Assignment': return node.index || node.value.type === 'ArrayValue' ? CALCULATES : undefined;
    case 'HereDoc': return node.closing ? undefined : OPEN;
    // In there, quotes inside of braces are no quotes, or only some of them.
    case 'HereDocBody': return node.parts?.some((part) => part.type === 'ParameterExpansion' && part.operation) ? HIDES : undefined;
    case 'DoubleQuoted': case 'LocaleString': return node.parts.some((part) => part.type === 'ParameterExpansion' && part.operation && part.text.includes("'")) ? HIDES : undefined;
    case 'TestBinary': return CALCULATING.has(node.operator) && !(isNumber(node.left.text) && isNumber(node.right.text)) ? CALCULATES : undefined;
    case 'ParameterExpansion': return unclearParameter(node);
    case 'For': case 'Select': case 'Coproc': return node.name && setsOther(node.name.text);
    case 'FileDescriptorVariable': return setsOther(node.name);
    default: return undefined;
  }
}

function unclearParameter({ text, parameter, prefix, index, operation }: ParameterExpansionPart): string | undefined {
  if (prefix === '!' && operation?.type !== 'Names') return `${text} takes the name of a variable from another one`;
  if (index && !/^[@*]$/.test(index.text) && !isNumber(index.text)) return CALCULATES;
  switch (operation?.type) {
    case 'Transform': return operation.operand.text === 'Q' ? undefined : `${text} may run what the variable holds`;
    case 'Unknown': return `${text} is not understood`;
    case 'Slice': return isNumber(operation.offset.text) && (!operation.length || isNumber(operation.length.text)) ? undefined : CALCULATES;
    case 'Default': return operation.operator.endsWith('=') ? setsOther(parameter) : undefined;
    default: return undefined;
  }
}

function setsOther(name: string): string | undefined {
  return isOwnVariable(name) ? undefined : `it sets ${name}, which other programs may look at`;
}

/** The parser has passed over something, or taken a word for two: bash refuses such a text, or reads on where the parser sees a comment. */
function isTorn(node: SyntaxNode, source: string): boolean {
  if (node.type === 'Command') return hasGap(node, source);
  return node.type === 'ProcessSubstitution' && !(/(?:^|[\s;&|(){}<>=`])$/.test(source.slice(0, node.pos).slice(-1)) && /^(?:$|[\s;&|)}`]|[<>](?:[^(]|$))/.test(source.slice(node.end, node.end + 2)));
}

function hasGap({ prefix, name, suffix }: Command, source: string): boolean {
  const pieces = [...prefix, ...(name ? [name] : []), ...suffix];
  return pieces.some(({ pos }, index) => {
    const before = pieces[index - 1];
    return before !== undefined && !/^(?:[ \t]|\\\n)*$/.test(source.slice(before.end, pos));
  });
}

function problemOf({ errors }: ParsedScript): string | undefined {
  const [first] = errors ?? [];
  return first && `it cannot be read as a shell command: ${first.message}`;
}

function isNumber(text: string): boolean {
  return /^\s*-?(?:\d+|0[xX][\da-fA-F]+)\s*$/.test(text);
}
