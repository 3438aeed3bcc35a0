import fs from 'node:fs';
import path from 'node:path';
import { isObject } from '../../src/protocol/json.ts';
import type { FakeReply, FakeRequest, FakeWord } from '../../src/testing/fake-provider/script.ts';
import { writeSkill, type Place } from './program.ts';

const usage = { input: 1_000, output: 100 };

/** A skill of the person's own that counts one too few, with ten tasks. */
export function countingSkill(place: Place, { files = {}, tasks = 10 }: { readonly files?: Readonly<Record<string, string>>; readonly tasks?: number } = {}): string {
  const evals = Array.from({ length: tasks }, (_, i) => ({ id: i + 1, prompt: `Secret task ${i + 1}: make the report`, expectations: [{ check: 'file_matches', path: 'report.txt', pattern: '^total 42$' }] }));
  return writeSkill(path.join(place.home, '.agents/skills'), { name: 'reporter', description: 'Makes reports of orders.', body: body('41'), files: { 'evals/evals.json': JSON.stringify({ skill_name: 'reporter', evals }), ...files } });
}

const body = (total: string): string => `INSTRUCTIONS OF THE SKILL\n\nTOTAL ${total}\n`;

/** What a wire learner does beside the usual. */
export interface LearnerOptions {
  /** What it writes into the copy: path in the skill → text. */
  readonly edits?: (skillText: string, round: number) => Readonly<Record<string, string>>;
  /** Called before each answer to a run; never to resolve is to hang. */
  readonly onRun?: () => Promise<void>;
}

/** A model that decides to improve the skill `reporter`, mends its total in a copy, and does in runs what the skill says. `asked` counts what it was asked for. */
export function wireLearner({ edits = (text) => ({ 'SKILL.md': text.replace('TOTAL 41', 'TOTAL 42') }), onRun }: LearnerOptions = {}): { readonly step: (request: FakeRequest) => Promise<FakeWord>; readonly asked: { decisions: number; edits: number } } {
  const asked = { decisions: 0, edits: 0 };
  const step = async (request: FakeRequest): Promise<FakeWord> => {
    const messages = messagesOf(request);
    if (request.text.includes('You look after Agent Skills')) return agent(messages);
    await onRun?.();
    return work(request);
  };
  const agent = (messages: readonly { readonly role: string; readonly text: string }[]): FakeReply => {
    const at = messages.findLastIndex(({ role }) => role === 'user');
    const task = messages[at]?.text ?? '';
    const calls = messages.length - 1 - at;
    if (task.includes('first step')) {
      asked.decisions += 1;
      return { text: JSON.stringify({ decision: 'enhance', skill: 'user:reporter', request: '', reason: 'The total is wrong.', quotes: [{ seq: 11, text: 'is wrong' }], messages: [], tasks: [] }), usage };
    }
    const folder = /Edit the copy in (.+?)\/, and/.exec(task)?.[1] ?? '';
    if (calls > 0) return { text: JSON.stringify({ summary: 'It counts one more.' }), usage };
    asked.edits += 1;
    const files = Object.entries(edits(fs.readFileSync(path.join(folder, 'SKILL.md'), 'utf8'), asked.edits));
    const reads = files.filter(([file]) => fs.existsSync(path.join(folder, file))).map(([file]) => ({ name: 'Read', input: { file_path: path.join(folder, file) } }));
    return { calls: [...reads, ...files.map(([file, text]) => ({ name: 'Write', input: { file_path: path.join(folder, file), content: text } }))], usage };
  };
  return { step, asked };
}

function work({ text }: FakeRequest): FakeReply {
  const isLoaded = text.includes('INSTRUCTIONS OF THE SKILL');
  const results = (text.match(/"role":"tool"/g) ?? []).length;
  if (!isLoaded && text.includes('- reporter') && results === 0) return { calls: [{ name: 'Skill', input: { skill: 'reporter' } }], usage };
  const total = isLoaded ? (/TOTAL (\d+)/.exec(text)?.[1] ?? 'none') : 'none';
  if (!/tool_calls.*"name":"Write"/.test(text)) return { calls: [{ name: 'Write', input: { file_path: 'report.txt', content: `total ${total}` } }], usage };
  return { text: `Done: total ${total}`, usage };
}

function messagesOf({ body: { messages } }: FakeRequest): readonly { readonly role: string; readonly text: string }[] {
  return (Array.isArray(messages) ? messages : []).map((message: unknown) => (isObject(message) ? { role: String(message['role']), text: JSON.stringify(message['content']).replaceAll('\\\\', '\\') } : { role: '', text: '' }));
}
