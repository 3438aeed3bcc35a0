import fs from 'node:fs';
import path from 'node:path';
import type { ModelRequest } from '../../../src/model/model.ts';
import type { ScriptedReply, ScriptedStep } from '../../../src/testing/scripted-model.ts';
import type { Place } from '../open.ts';

/** The whole conversation of a request as one text. */
export function conversation(request: ModelRequest): string {
  return JSON.stringify(request.messages);
}

export function isJudge({ system, tools }: ModelRequest): boolean {
  return tools.length === 0 && /^You (?:judge|compare)/.test(system);
}

/** Writes a skill of the person's own with its suites; returns its folder. */
export function evaluatedSkill(place: Place, name: string, { description = `Use for ${name}.`, body, evals, triggers, files = {} }: { readonly description?: string; readonly body: string; readonly evals?: unknown; readonly triggers?: unknown; readonly files?: Readonly<Record<string, string>> }): string {
  const folder = path.join(place.home, '.agents/skills', name);
  const all = {
    'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`,
    ...(evals === undefined ? {} : { 'evals/evals.json': typeof evals === 'string' ? evals : JSON.stringify({ skill_name: name, evals }) }),
    ...(triggers === undefined ? {} : { 'evals/triggers.json': JSON.stringify(triggers) }),
    ...files,
  };
  for (const [file, text] of Object.entries(all)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

/**
 * An executor that loads the skill when it is offered, and then does what the skill says: each line `WRITE file: text` of the
 * skill's body is a file. Without the skill it writes `plain.txt`. Judges get `judge`.
 */
export function obedientExecutor(skill: string, { judge, plain = 'plain result', loads = () => true }: { readonly judge?: (request: ModelRequest) => string; readonly plain?: string; readonly loads?: (text: string) => boolean } = {}): ScriptedStep {
  return (request): string | ScriptedReply => {
    if (isJudge(request)) return judge?.(request) ?? 'no judge';
    const said = conversation(request);
    const results = request.messages.filter(({ role }) => role === 'tool').length;
    const loaded = said.includes('INSTRUCTIONS OF THE SKILL');
    if (!loaded && results === 0 && said.includes(skill) && loads(said)) return { calls: [{ tool: 'Skill', input: { skill } }], usage: { input: 100, output: 10 } };
    const wanted = loaded ? [...said.matchAll(/WRITE ([\w.]+): ([^\\"]+)/g)].map(([, file = '', text = '']) => ({ file, text })) : [{ file: 'plain.txt', text: plain }];
    const wrote = (said.match(/"tool":"Write"/g) ?? []).length;
    if (wrote === 0 && wanted.length > 0) return { calls: wanted.map(({ file, text }) => ({ tool: 'Write', input: { file_path: file, content: text } })), usage: { input: 100, output: 10 } };
    return { text: `Done: ${wanted.map(({ text }) => text).join(' ')}`, usage: { input: 100, output: 10 } };
  };
}
