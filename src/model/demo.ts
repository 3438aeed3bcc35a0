import { textOf, type ToolCallPart, type ToolResultPart } from '../protocol/content.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Message } from '../protocol/message.ts';
import { NO_USAGE } from '../protocol/usage.ts';
import { csvIn, folderIn, joinPath, quoted, reportFigures, scriptIn } from './demo-text.ts';
import type { Model, ModelEvent, ModelInfo, ModelRequest } from './model.ts';

/** The demo model's full name. */
export const DEMO_NAME = 'demo/demo';

/** What is known of the demo model. It costs nothing. */
export const DEMO_INFO: ModelInfo = { provider: 'demo', id: 'demo', contextWindow: 200_000, maxOutput: 8_192, images: false, documents: false, price: { input: 0, output: 0 } };

const SKILL = 'orders-report';
const TOOLS = ['Skill', 'Bash', 'Read'] as const;

const NOTICE = 'This is the scripted demo model of skillmint, not a real language model. For a real one, set a key: ANTHROPIC_API_KEY, OPENAI_API_KEY or DEEPSEEK_API_KEY, for example.';

const INTRODUCTION = `${NOTICE}

  export ANTHROPIC_API_KEY=...   # https://platform.claude.com
  export OPENAI_API_KEY=...      # https://platform.openai.com
  export DEEPSEEK_API_KEY=...    # https://platform.deepseek.com

"skillmint models list" shows all providers; local servers such as Ollama need no key. I know one thing by heart, and it shows a full turn with real tools:

  skillmint run --model ${DEMO_NAME} "Use the ${SKILL} skill: turn orders.csv into a report to ./report"

Name a CSV file of orders that exists.`;

/** What the model does next. */
type Step = { readonly text: string; readonly call?: { readonly tool: string; readonly input: JsonObject } };

/**
 * A scripted model that needs no key and no network and says so in its first line. Asked to make a report of a CSV
 * file with the bundled skill, it drives the real tools, one step after the other, each derived from the results so
 * far; to anything else it answers how to set a key.
 */
export function demoModel({ ids }: { readonly ids: () => string }): Model {
  return { info: DEMO_INFO, stream: (request, signal) => speak(nextStep(request), { ids, signal }) };
}

async function* speak({ text, call }: Step, { ids, signal }: { readonly ids: () => string; readonly signal: AbortSignal }): AsyncGenerator<ModelEvent> {
  for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
    if (signal.aborted) return yield { type: 'failed', failure: { kind: 'aborted', message: 'The model call was stopped.', retryable: false } };
    yield { type: 'text.delta', text: piece };
    await Promise.resolve();
  }
  const content = [{ type: 'text', text } as const, ...(call ? [{ type: 'tool_call', call_id: ids(), ...call } as const] : [])];
  yield { type: 'done', reply: { content, usage: NO_USAGE, stop: call ? 'tool_calls' : 'end' } };
}

/** The task that the person set: where it stands in the conversation, and the files it names. */
interface Task {
  readonly csv: string;
  readonly folder: string;
  /** What has been done for it so far. */
  readonly done: ReadonlyMap<string, ToolResultPart>;
}

function nextStep(request: ModelRequest): Step {
  const task = taskOf(request);
  if (!task) return { text: INTRODUCTION };
  const [skill, bash, read] = TOOLS.map((tool) => task.done.get(tool));
  const failed = [skill, bash, read].find((result) => result?.is_error);
  if (failed) return { text: `The step ${failed.tool} did not go through, so I stop here. It said:\n\n${textOf(failed.content).trim()}` };
  if (!skill) return { text: `${NOTICE}\n\nI load the skill ${SKILL}.`, call: { tool: 'Skill', input: { skill: SKILL } } };
  if (!bash) return runScript(task, textOf(skill.content));
  const report = joinPath(task.folder, 'report.md');
  if (!read) return { text: 'The script is done. I read what it wrote.', call: { tool: 'Read', input: { file_path: report } } };
  return { text: `The report is ready. It says:\n\n${reportFigures(textOf(read.content))}\n\nThe page with the chart: ${joinPath(task.folder, 'report.html')}` };
}

function runScript({ csv, folder }: Task, skill: string): Step {
  const script = scriptIn(skill);
  if (script === undefined) return { text: `The skill ${SKILL} names no script that I can run.` };
  const out = skill.includes('--out') ? '--out ' : '';
  const command = `node ${quoted(script)} ${quoted(csv)} ${out}${quoted(folder)}`;
  return { text: 'I run its script on the orders.', call: { tool: 'Bash', input: { command, description: 'Make the report of the orders' } } };
}

/** The last message of a person that names a CSV file, where the skill is known and the tools are there. */
function taskOf({ system, tools, messages }: ModelRequest): Task | undefined {
  const known = [system, ...messages.map((message) => (message.role === 'user' ? textOf(message.content) : ''))].some((text) => text.includes(SKILL));
  if (!known || !TOOLS.every((name) => tools.some((tool) => tool.name === name))) return undefined;
  const at = messages.findLastIndex((message) => csvOf(message) !== undefined);
  const message = messages[at];
  const csv = message && csvOf(message);
  if (message?.role !== 'user' || csv === undefined) return undefined;
  return { csv, folder: folderIn(textOf(message.content), csv) ?? 'report', done: resultsOf(messages.slice(at + 1)) };
}

function csvOf(message: Message): string | undefined {
  return message.role === 'user' ? csvIn(textOf(message.content)) : undefined;
}

/** The last result of each tool that was called. */
function resultsOf(messages: readonly Message[]): ReadonlyMap<string, ToolResultPart> {
  const calls = new Map<string, ToolCallPart>();
  const results = new Map<string, ToolResultPart>();
  for (const { content } of messages) {
    for (const part of content) {
      if (part.type === 'tool_call') calls.set(part.call_id, part);
      if (part.type === 'tool_result') results.set(calls.get(part.call_id)?.tool ?? part.tool, part);
    }
  }
  return results;
}
