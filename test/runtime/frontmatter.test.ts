import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import { scriptedModel, type ScriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, makePlace, open, ownSkill, say, writeSkill, type Place } from './open.ts';

// Fields with a larger story have it in a file of their own: allowed-tools, disallowed-tools, model, effort, arguments, paths,
// disable-model-invocation and user-invocable in skill-turns, context and agent in fork, hooks in skill-hooks, max_iterations in skills.

const load = (skill: string, args?: string) => ({ calls: [{ tool: 'Skill', input: { skill, ...(args === undefined ? {} : { args }) } }] });
const sent = (model: ScriptedModel, index: number): string => JSON.stringify(model.requests[index]?.messages);

/** Writes a SKILL.md into the project as it is given. */
function rawSkill(place: Place, folder: string, text: string): string {
  const at = path.join(place.project, '.agents/skills', folder);
  fs.mkdirSync(at, { recursive: true });
  fs.writeFileSync(path.join(at, 'SKILL.md'), text);
  return at;
}

describe('fields of the open standard in a turn', () => {
  it('name leads to the skill, not the name of its folder; description is what the model is told, the first paragraph where there is none', async () => {
    const place = makePlace();
    rawSkill(place, 'folder-of-tea', '---\nname: tea-making\ndescription: Brews a pot.\n---\nBODY OF TEA\n');
    rawSkill(place, 'coffee', '---\nname: coffee\n---\n# Coffee\n\nGrinds and brews.\n');
    const model = scriptedModel([load('tea-making'), load('folder-of-tea'), 'done']);
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'drinks', cwd: place.project });
    expect(sent(model, 0)).toContain('- tea-making: Brews a pot.');
    expect(sent(model, 0)).toContain('- coffee: Grinds and brews.');
    expect(sent(model, 0)).not.toContain('folder-of-tea:');
    expect(eventsOf(events, 'tool.completed').map(({ status, output }) => [status, textOf(output).includes('BODY OF TEA')])).toEqual([['ok', true], ['error', false]]);
  });

  it('license, compatibility, metadata, version, type and fields that nobody knows change nothing of what is sent', async () => {
    const requests = async (frontmatter: string): Promise<string> => {
      const place = makePlace();
      writeSkill(place, 'tea', { frontmatter, body: 'BODY OF TEA' });
      const model = scriptedModel([load('tea'), 'done']);
      const { runtime } = await open(model, { place });
      const { result } = await say(runtime, { text: 'tea', cwd: place.project });
      return JSON.stringify(model.requests).replaceAll(path.dirname(place.project), '').replaceAll(result.session_id, '');
    };
    const bare = await requests('');
    expect(bare).toContain('BODY OF TEA');
    expect(await requests('license: MIT\ncompatibility: Needs a kettle.\nmetadata:\n  author: me\nversion: 1.10\ntype: other\ncolour: blue\n')).toBe(bare);
  });

  it.each(['allowed-tools: Read Glob', 'allowed-tools: [Read, Glob]', 'allowed_tools: read_file, Glob', 'allowedTools:\n  - Read\n  - glob'])('the list of tools binds a session however it is written: %s', async (line) => {
    const place = makePlace();
    writeSkill(place, 'reader', { frontmatter: `${line}\n` });
    const model = scriptedModel([{ calls: [{ tool: 'Bash', input: { command: 'touch a.txt' } }] }, 'done']);
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project, skill: 'reader' });
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['Read', 'Glob']);
    expect(eventsOf(events, 'tool.completed').map(({ status, output }) => [status, textOf(output)])).toEqual([['denied', 'this skill does not allow the tool Bash']]);
  });
});

describe('fields of Claude Code in a turn', () => {
  it('when_to_use is told to the model behind the description, and finds the skill among many', async () => {
    const place = makePlace();
    for (let i = 0; i < 20; i += 1) writeSkill(place, `plum-${i}`, { description: `Handles plums of kind ${i}.` });
    writeSkill(place, 'kettle', { description: 'Heats water.', frontmatter: 'when_to_use: For guests who want oolong.\n' });
    const model = scriptedModel(['done', { calls: [{ tool: 'FindTools', input: { query: 'oolong' } }] }, 'done']);
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'some oolong please', cwd: place.project });
    expect(sent(model, 0)).toContain('- kettle: Heats water. For guests who want oolong.');
    await say(runtime, { text: 'look again', sessionId: result.session_id });
    expect(sent(model, 2)).toContain('- kettle: Heats water. For guests who want oolong.');
  });

  it('argument-hint declares arguments, so that also code has its places filled in', async () => {
    const place = makePlace();
    const body = 'Do it.\n\n```\nrun [$ARGUMENTS]\n```';
    writeSkill(place, 'hinted', { frontmatter: 'argument-hint: [file, format]\n', body });
    writeSkill(place, 'plain', { body });
    const model = scriptedModel(['one', 'two']);
    const { runtime } = await open(model, { place });
    await say(runtime, { text: '/hinted', cwd: place.project });
    await say(runtime, { text: '/plain', cwd: place.project });
    expect(sent(model, 0)).toContain('run []');
    expect(sent(model, 1)).toContain('run [$ARGUMENTS]');
  });

  it.skipIf(process.platform === 'win32')('shell: powershell keeps commands from another shell than the one they are written for', async () => {
    const place = makePlace();
    ownSkill(place, 'windows', 'shell: powershell\n', 'Now:\n!`echo made > made.txt`');
    ownSkill(place, 'unix', 'shell: bash\n', 'Now:\n!`echo made > made.txt; echo output of bash`');
    const model = scriptedModel(['one', 'two']);
    const { runtime } = await open(model, { place });
    await say(runtime, { text: '/windows', cwd: place.project });
    expect(sent(model, 0)).toContain('[command not run: it is written for powershell, and commands run in bash here]');
    expect(fs.existsSync(path.join(place.project, 'made.txt'))).toBe(false);
    await say(runtime, { text: '/unix', cwd: place.project });
    expect(sent(model, 1)).toContain('output of bash');
    expect(fs.existsSync(path.join(place.project, 'made.txt'))).toBe(true);
  });

  it.each(['true', 'false'])('background: %s: a run is waited for, and its result is there in the same turn', async (background) => {
    const place = makePlace();
    writeSkill(place, 'survey', { frontmatter: `context: fork\nbackground: ${background}\n` });
    const model = scriptedModel([load('survey'), 'RESULT OF THE RUN', 'end']);
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'x', cwd: place.project });
    expect(result).toMatchObject({ status: 'done', text: 'end' });
    expect(sent(model, 2)).toContain('RESULT OF THE RUN');
  });
});

describe('what other clients write, in a turn', () => {
  it('codex: agents/openai.yaml closes a skill to the model and not to the person, and stands in for a description', async () => {
    const place = makePlace();
    const closed = rawSkill(place, 'closed', '---\nname: closed\ndescription: Closes.\n---\nBODY OF CLOSED\n');
    const open_ = rawSkill(place, 'terse', '---\nname: terse\n---\n# Terse\n');
    for (const [folder, text] of [[closed, 'policy:\n  allow_implicit_invocation: false\n'], [open_, 'interface:\n  short_description: Says it in short.\n']] as const) {
      fs.mkdirSync(path.join(folder, 'agents'));
      fs.writeFileSync(path.join(folder, 'agents/openai.yaml'), text);
    }
    const model = scriptedModel([load('closed'), 'one', 'two']);
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'close it', cwd: place.project });
    expect(sent(model, 0)).toContain('- terse: Says it in short.');
    expect(sent(model, 0)).not.toContain('- closed');
    expect(eventsOf(events, 'tool.completed').map(({ status }) => status)).toEqual(['error']);
    await say(runtime, { text: '/closed', cwd: place.project });
    expect(sent(model, 2)).toContain('BODY OF CLOSED');
  });

  it('opencode: metadata says who may call a skill, and its first argument is $1', async () => {
    const place = makePlace();
    const metadata = (lines: string) => ({ frontmatter: `metadata:\n${lines}`, body: 'First: $1; rest: $2.' });
    writeSkill(place, 'by-hand', metadata('  opencode/autoinvoke: "false"\n'));
    writeSkill(place, 'by-model', metadata('  opencode/slash: "false"\n'));
    const model = scriptedModel([load('by-hand', 'a b'), load('by-model', 'a b c'), 'one', 'two', 'three']);
    const { runtime } = await open(model, { place });
    const { events } = await say(runtime, { text: 'x', cwd: place.project });
    expect(eventsOf(events, 'tool.completed').map(({ status }) => status)).toEqual(['error', 'ok']);
    expect(sent(model, 2)).toContain('First: a; rest: b c.');
    await say(runtime, { text: '/by-hand a b', cwd: place.project });
    expect(sent(model, 3)).toContain('First: a; rest: b.');
    const refused = await say(runtime, { text: '/by-model a b', cwd: place.project });
    expect(eventsOf(refused.events, 'skill.activated')).toEqual([]);
  });
});
