import type { JsonObject } from '../../protocol/json.ts';
import { canonicalToolName } from '../../protocol/tool-names.ts';
import { never } from '../../util/never.ts';
import type { Check } from '../suites/suite.ts';
import type { Transcript } from './transcript.ts';

/** What checks touch: the workspace of the run as the run has left it. Paths are relative to it. */
export interface CheckWorld {
  /** What is at a path; a link that leads out of the workspace counts as nothing. */
  kind(path: string): Promise<'file' | 'directory' | undefined>;
  /** Text of a file; undefined where there is none, or one of more than 10 MiB. */
  read(path: string): Promise<string | undefined>;
  /** Whether a regular expression matches, with `m` and `u`. A sentence where that cannot be found out. */
  matches(text: string, pattern: string): boolean | string;
  /** What in a text is not as the schema says; nothing for one that fits. */
  misfit(text: string, schema: JsonObject): string | undefined;
  /** Runs a shell line in the workspace, in the sandbox of the run. */
  command(line: string, timeoutMs: number): Promise<{ readonly code: number | null; readonly output: string }>;
}

/** A run that checks look at. */
export interface CheckedRun {
  readonly world: CheckWorld;
  readonly transcript: Transcript;
  /** Paths of the skill's scripts, relative to it; undefined for a run without the skill. */
  readonly scripts: readonly string[] | undefined;
}

/** What a check found. `passed` is undefined where it says nothing about such a run. */
export interface CheckFinding {
  readonly passed: boolean | undefined;
  readonly evidence: string;
}

const SHOWN = 300;

/** Makes a check. */
export async function runCheck(check: Check, run: CheckedRun): Promise<CheckFinding> {
  const { world, transcript: { answer, use } } = run;
  switch (check.type) {
    case 'file_exists': {
      const kind = await world.kind(check.path);
      return { passed: kind !== undefined, evidence: kind === undefined ? `There is no ${check.path}.` : `There is ${check.path} (${kind}).` };
    }
    case 'file_absent': {
      const kind = await world.kind(check.path);
      return { passed: kind === undefined, evidence: kind === undefined ? `There is no ${check.path}.` : `There is ${check.path} (${kind}).` };
    }
    case 'file_matches': return onFile(check.path, world, (text) => matching(text, check.pattern, world));
    case 'file_schema': return onFile(check.path, world, (text) => {
      const misfit = world.misfit(text, check.schema);
      return { passed: misfit === undefined, evidence: misfit ?? `${check.path} fits the schema.` };
    });
    case 'command': {
      const { code, output } = await world.command(check.command, check.timeout_ms);
      return { passed: code === check.exit_code, evidence: `It exited with ${code ?? 'no code'}${output.trim() === '' ? '' : `: ${shown(output)}`}.` };
    }
    case 'answer_contains': return { passed: answer.includes(check.value), evidence: `The answer is: ${shown(answer)}` };
    case 'answer_matches': return matching(answer, check.pattern, world);
    case 'tool_called':
    case 'tool_not_called': return calledTool(check, run);
    case 'script_used': return scriptUsed(check.script, run);
    case 'skill_loaded': return aboutSkill(run, { passed: use.loaded, evidence: use.loaded ? 'The log has it loaded.' : 'The log does not have it loaded.' });
    case 'skill_not_loaded': return aboutSkill(run, { passed: !use.loaded, evidence: use.loaded ? 'The log has it loaded.' : 'The log does not have it loaded.' });
    default: return never(check);
  }
}

async function onFile(path: string, world: CheckWorld, look: (text: string) => CheckFinding): Promise<CheckFinding> {
  const text = await world.read(path);
  return text === undefined ? { passed: false, evidence: `There is no file ${path} that could be read.` } : look(text);
}

function matching(text: string, pattern: string, world: CheckWorld): CheckFinding {
  const found = world.matches(text, pattern);
  if (typeof found === 'string') return { passed: false, evidence: found };
  return { passed: found, evidence: found ? 'It matches.' : `It does not match: ${shown(text)}` };
}

function calledTool(check: Extract<Check, { tool: string }>, { world, transcript: { calls } }: CheckedRun): CheckFinding {
  const tool = canonicalToolName(check.tool);
  // What is called by way of CallTool counts as called itself.
  const named = calls.flatMap(({ tool: name, input }) => (name === tool ? [input] : name === 'CallTool' && typeof input['tool'] === 'string' && canonicalToolName(input['tool']) === tool ? [input] : []));
  const { pattern } = check;
  const found = pattern === undefined ? named : named.filter((input) => world.matches(JSON.stringify(input), pattern) === true);
  const wanted = check.type === 'tool_called';
  const [first] = found;
  return { passed: wanted === found.length > 0, evidence: first === undefined ? `There is no such call of ${tool}; calls: ${shown(calls.map((call) => call.tool).join(', ') || 'none')}.` : `${found.length} such ${found.length === 1 ? 'call' : 'calls'} of ${tool}, the first with ${shown(JSON.stringify(first))}` };
}

function scriptUsed(script: string | undefined, run: CheckedRun): CheckFinding {
  const { transcript: { calls, injected }, scripts = [] } = run;
  const wanted = script === undefined ? scripts : [script];
  const commands = [...calls.flatMap(({ tool, input }) => (tool === 'Bash' && typeof input['command'] === 'string' ? [input['command']] : [])), ...injected];
  const found = commands.find((command) => wanted.some((path) => command.includes(path)));
  return aboutSkill(run, { passed: found !== undefined, evidence: found === undefined ? `No command names ${wanted.length === 0 ? 'a script, and the skill has none' : wanted.slice(0, 5).join(' or ')}.` : `It ran: ${shown(found)}` });
}

function aboutSkill({ scripts }: CheckedRun, finding: CheckFinding): CheckFinding {
  return scripts === undefined ? { passed: undefined, evidence: 'This run has no skill at hand.' } : finding;
}

function shown(text: string): string {
  return text.length <= SHOWN ? text.trim() : `${text.slice(0, SHOWN).trim()} …`;
}
