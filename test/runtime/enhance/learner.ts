import fs from 'node:fs';
import path from 'node:path';
import { textOf } from '../../../src/protocol/content.ts';
import type { ModelRequest } from '../../../src/model/model.ts';
import type { ScriptedReply, ScriptedStep } from '../../../src/testing/scripted-model.ts';
import { conversation, evaluatedSkill, isJudge } from '../evaluate/skilled.ts';
import type { Place } from '../open.ts';

export const fixture = (name: string): string => path.resolve('test/runtime/enhance/conversations', `${name}.jsonl`);
const usage = { input: 100, output: 10 };

/** A skill that counts one too few, with ten tasks. Its instructions may know some tasks. */
export function reporter(place: Place, { tasks = 10, triggers }: { readonly tasks?: number; readonly triggers?: unknown } = {}): string {
  return evaluatedSkill(place, 'reporter', {
    description: 'Makes reports of orders. Use when somebody wants a report.',
    body: skillBody('41'),
    ...(tasks === 0 ? {} : { evals: Array.from({ length: tasks }, (_, i) => ({ id: i + 1, prompt: `Secret task ${i + 1}: make the report`, expectations: [{ check: 'file_matches', path: 'report.txt', pattern: '^total 42$' }] })) }),
    ...(triggers === undefined ? {} : { triggers }),
  });
}

export const skillBody = (total: string): string => `INSTRUCTIONS OF THE SKILL\n\nTOTAL ${total}`;

export function skillText(body: string, description = 'Makes reports of orders. Use when somebody wants a report.'): string {
  return `---\nname: reporter\ndescription: ${description}\n---\n\n${body}\n`;
}

/** What the agent is at. */
export interface AgentStep {
  readonly request: ModelRequest;
  /** The message that began the operation, or sent an answer back. */
  readonly task: string;
  /** Folder of the copy that it may edit. */
  readonly folder: string;
  /** Results of tools since then. */
  readonly results: readonly string[];
}

/** A model that is the agent and the one that works: edits are what `edits` gives for each round, decisions follow the conversation. */
export function learner({ edits = () => skillText(skillBody('42')), decide = decision, load = () => true, pry = () => [] }: { readonly edits?: (step: AgentStep, round: number) => string; readonly decide?: (trace: string) => unknown; readonly load?: (said: string) => boolean; /** Files that it tries to read beside. */ readonly pry?: () => readonly string[] } = {}): ScriptedStep {
  let rounds = 0;
  return (request): ScriptedReply => {
    if (!request.system.includes('You look after Agent Skills')) return work(request, load);
    const at = request.messages.findLastIndex(({ role }) => role === 'user');
    const task = textOf(request.messages[at]?.content ?? []);
    const results = request.messages.slice(at + 1).flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool_result' ? [textOf(part.content)] : [])));
    const step: AgentStep = { request, task, results, folder: /Edit the copy in (.+?)\/, and/.exec(task)?.[1] ?? '' };
    if (task.includes('first step')) {
      const file = /Read (\S+\.md)\./.exec(task)?.[1] ?? '';
      return results.length === 0 ? { calls: [{ tool: 'Read', input: { file_path: file } }], usage } : { text: JSON.stringify(decide(results.join('\n'))), usage };
    }
    if (task.includes('second step')) {
      if (results.length === 0) return { calls: [{ tool: 'Read', input: { file_path: path.join(step.folder, 'SKILL.md') } }], usage };
      if (results.length === 1) return { calls: [{ tool: 'Write', input: { file_path: path.join(step.folder, 'SKILL.md'), content: edits(step, (rounds += 1)) } }, ...pry().flatMap((file) => [{ tool: 'Read', input: { file_path: file } }, { tool: 'Grep', input: { pattern: 'Secret', path: path.dirname(file), output_mode: 'content' } }])], usage };
    }
    return { text: JSON.stringify({ summary: 'It counts one more.' }), usage };
  };
}

/** What lies beside the copy for the agent. */
export function casesFor({ folder }: AgentStep): { readonly tasks: readonly { readonly prompt: string }[]; readonly messages: readonly { readonly query: string }[] } {
  return JSON.parse(fs.readFileSync(path.join(path.dirname(folder), 'cases.json'), 'utf8'));
}

/** By what the person says: explained each month, a report that is wrong, or neither. */
export function decision(trace: string): object {
  const quote = (words: string) => ({ seq: Number(new RegExp(`\\[(\\d+)\\] person: [^[]*${words}`).exec(trace)?.[1]), text: words });
  const none = { skill: '', request: '', reason: 'Because of what was said.', quotes: [], messages: [], tasks: [] };
  if (trace.includes('I explain this every month')) return { ...none, decision: 'create', request: 'Do it as it was explained.', quotes: [quote('I explain this every month')] };
  if (trace.includes('is wrong')) return { ...none, decision: 'enhance', skill: 'user:reporter', quotes: [quote('is wrong')] };
  return { ...none, decision: 'nothing' };
}

/** Loads the skill and writes the total that it names; tasks that it KNOWS get 42. */
function work(request: ModelRequest, load: (said: string) => boolean): ScriptedReply {
  if (isJudge(request)) return { text: 'no JSON', usage };
  const said = conversation(request);
  const results = request.messages.filter(({ role }) => role === 'tool').length;
  const isLoaded = said.includes('INSTRUCTIONS OF THE SKILL');
  if (!isLoaded && results === 0 && said.includes('reporter') && load(said)) return { calls: [{ tool: 'Skill', input: { skill: 'reporter' } }], usage };
  const known = /KNOWS ([\d ]+)/.exec(said)?.[1]?.split(' ') ?? [];
  const task = /Secret task (\d+)/.exec(said)?.[1] ?? '';
  const total = !isLoaded ? 'none' : known.includes(task) ? '42' : (/TOTAL (\d+)/.exec(said)?.[1] ?? 'none');
  if (!said.includes('"tool":"Write"')) return { calls: [{ tool: 'Write', input: { file_path: 'report.txt', content: `total ${total}` } }], usage };
  return { text: `Done: total ${total}`, usage };
}
