import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, makePlace, open, say, writeSkill } from './open.ts';

const load = (skill: string) => ({ calls: [{ tool: 'Skill', input: { skill } }] });
const count = (text: string, part: string): number => text.split(part).length - 1;
const sent = (model: ScriptedModel, index: number): string => JSON.stringify(model.requests[index]?.messages);

describe('a session that is bound to a skill', () => {
  const CALLS = {
    calls: [
      { tool: 'Write', input: { file_path: 'a.txt', content: 'x' } },
      { tool: 'AskUserQuestion', input: { question: 'May I?' } },
      { tool: 'Bash', input: { command: 'touch b.txt' } },
      { tool: 'Bash', input: { command: 'git init -q; touch c.txt' } },
      { tool: 'Bash', input: { command: 'git init -q repository' } },
      { tool: 'Read', input: { file_path: 'here.txt' } },
    ],
  };

  it('has its tools alone, each within its specification, whatever else is allowed', async () => {
    const place = makePlace();
    writeSkill(place, 'careful', { frontmatter: 'allowed-tools: Read Bash(git:*)\n', body: 'BODY OF CAREFUL' });
    fs.writeFileSync(path.join(place.project, 'here.txt'), 'text');
    const model = scriptedModel([CALLS, 'done']);
    const { runtime } = await open(model, { place });
    const { result, events } = await say(runtime, { text: 'x', cwd: place.project, skill: 'careful', allow: ['Write', 'Bash'] });
    expect(result.status).toBe('done');
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['Read', 'Bash']);
    expect(model.requests[0]?.system).toContain('BODY OF CAREFUL');
    const results = eventsOf(events, 'tool.completed').toSorted((a, b) => a.call_id.localeCompare(b.call_id));
    expect(results.map((event) => event.status)).toEqual(['denied', 'denied', 'denied', 'denied', 'ok', 'ok']);
    expect(results.slice(0, 2).map((event) => textOf(event.output))).toEqual(['this skill does not allow the tool Write', 'this skill does not allow the tool AskUserQuestion']);
    expect(textOf(results[2]?.output ?? [])).toContain('only within Bash(git:*)');
    expect(fs.readdirSync(place.project).toSorted()).toEqual(['.agents', 'here.txt', 'repository']);
  });

  it('keeps the list that it began with when the file of the skill changes, and says that it changed', async () => {
    const place = makePlace();
    const file = writeSkill(place, 'careful', { frontmatter: 'allowed-tools: Read\n', body: 'BODY OF CAREFUL' });
    const { runtime } = await open(scriptedModel(['one']), { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, skill: 'careful' });
    await runtime.close();
    fs.writeFileSync(file, '---\nname: careful\ndescription: Now with everything.\nallowed-tools: Read Write Bash\n---\n\nNEW BODY\n');
    const model = scriptedModel([CALLS, 'done']);
    const { runtime: later } = await open(model, { place });
    const { events } = await say(later, { text: 'y', sessionId: result.session_id });
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['Read']);
    expect(model.requests[0]?.system).toContain('BODY OF CAREFUL');
    expect(model.requests[0]?.system).not.toContain('NEW BODY');
    expect(eventsOf(events, 'warning').map((event) => event.code)).toContain('skill_changed');
    expect(fs.existsSync(path.join(place.project, 'a.txt'))).toBe(false);
  });

  it('has the steps that the skill sets, and no list means every tool', async () => {
    const place = makePlace();
    writeSkill(place, 'short', { frontmatter: 'max_iterations: 2\n' });
    const model = scriptedModel([load('short'), load('short'), 'never asked']);
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project, skill: 'short' });
    expect(result).toMatchObject({ status: 'limit' });
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['Write', 'Bash', 'Skill']));
  });

  it('may be a folder anywhere', async () => {
    const place = makePlace();
    const file = writeSkill(place, 'elsewhere', { body: 'BODY OF ELSEWHERE' });
    const folder = path.join(place.home, 'own');
    fs.renameSync(path.dirname(file), folder);
    const model = scriptedModel(['one']);
    const { runtime } = await open(model, { place });
    await say(runtime, { text: 'x', cwd: place.project, skill: folder });
    expect(model.requests[0]?.system).toContain('BODY OF ELSEWHERE');
  });
});

describe('skills of a conversation', () => {
  it('are offered eight at most, the fitting ones, each only once', async () => {
    const place = makePlace();
    for (let i = 0; i < 30; i += 1) writeSkill(place, `plum-skill-${i}`, { description: `Handles plums of kind ${i} and nothing else.` });
    for (let i = 0; i < 30; i += 1) writeSkill(place, `pear-skill-${i}`, { description: `Handles pears of kind ${i}.` });
    const model = scriptedModel(['one', 'two', 'three', 'four']);
    const { runtime } = await open(model, { place });
    const { result, events } = await say(runtime, { text: 'sort the plums', cwd: place.project });
    const [offer] = eventsOf(events, 'skill.offered');
    expect(offer?.skills).toHaveLength(8);
    expect(offer?.skills.every(({ id }) => id.startsWith('project:plum-skill-'))).toBe(true);
    const names = offer?.skills.map(({ id }) => id.replace('project:', '')) ?? [];
    for (const name of names) expect(count(sent(model, 0), `- ${name}:`)).toBe(1);
    for (const text of ['sort the plums again', 'now the pears', 'plums and pears']) await say(runtime, { text, sessionId: result.session_id });
    const last = sent(model, 3);
    for (const name of names) expect(count(last, `- ${name}:`)).toBe(1);
    const everything = [...last.matchAll(/- (p\w+-skill-\d+):/g)].map((match) => match[1]);
    expect(new Set(everything).size).toBe(everything.length);
    expect(model.requests[0]?.system).toBe(model.requests[3]?.system);
  });

  it('load by name, alias and case, and stay active over a compaction and in the next process', async () => {
    const place = makePlace();
    writeSkill(place, 'tea-making', { body: 'BODY OF TEA' });
    writeSkill(place, 'closed', { frontmatter: 'disable-model-invocation: true\n', body: 'BODY OF CLOSED' });
    const model = scriptedModel([
      { calls: [{ tool: 'use_skill', input: { name: 'TEA-MAKING' } }, { tool: 'Skill', input: { skill: 'tea-makin' } }, { tool: 'Skill', input: { skill: 'closed' } }, { tool: 'Skill', input: { skill: 'nothing-like-it' } }] },
      'long words '.repeat(5000), 'short', 'SUMMARY', 'after',
    ]);
    const { runtime } = await open(model, { place });
    const { result, events } = await say(runtime, { text: 'tea', cwd: place.project });
    const sessionId = result.session_id;
    const statuses = eventsOf(events, 'tool.completed').toSorted((a, b) => a.call_id.localeCompare(b.call_id)).map((event) => event.status);
    expect(statuses).toEqual(['ok', 'ok', 'error', 'error']);
    expect(new Set(eventsOf(events, 'skill.activated').map((event) => event.skill_id))).toEqual(new Set(['project:tea-making']));
    await say(runtime, { text: 'more', sessionId });
    await runtime.compact(sessionId);
    await runtime.close();
    const next = scriptedModel(['after']);
    const { runtime: later } = await open(next, { place });
    await say(later, { text: 'go on', sessionId });
    expect(sent(next, 0)).toContain('SUMMARY');
    expect(count(sent(next, 0), 'BODY OF TEA')).toBe(1);
    expect(sent(next, 0)).not.toContain('BODY OF CLOSED');
    expect([...(await later.sessions.state(sessionId)).skills.keys()]).toEqual(['project:tea-making']);
  });

  it('may be read and not written, and are no part of the workspace before they are loaded', async () => {
    const place = makePlace();
    const folder = path.join(place.home, '.agents/skills/far');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: far\ndescription: Far away.\n---\nBODY\n');
    fs.writeFileSync(path.join(folder, 'notes.md'), 'NOTES OF FAR');
    const read = { calls: [{ tool: 'Read', input: { file_path: path.join(folder, 'notes.md') } }] };
    const model = scriptedModel([read, load('far'), read, { calls: [{ tool: 'Write', input: { file_path: path.join(folder, 'new.md'), content: 'x' } }] }, 'done']);
    const { runtime } = await open(model, { place, settings: { permissions: { mode: 'dontAsk' } } });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'tool.completed').map((event) => event.status)).toEqual(['denied', 'ok', 'ok', 'denied']);
    expect(fs.readdirSync(folder).toSorted()).toEqual(['SKILL.md', 'notes.md']);
  });
});
