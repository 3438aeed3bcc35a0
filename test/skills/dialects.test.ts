import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReadTree } from '../../src/host/host.ts';
import { localTree } from '../../src/host/local-tree.ts';
import { localFiles } from '../../src/host/local-files.ts';
import { readDocument } from '../../src/skills/discover/read-entry.ts';
import { openSkillCache } from '../../src/skills/discover/skill-cache.ts';
import { isOfferable } from '../../src/skills/discover/skill-entry.ts';
import { entryOf, makePlace, type Place } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const AT = 'home/.claude/skills/x';
const found = async () => entryOf(await place.discover(), 'user:x');
const codes = async (): Promise<string[]> => (await found()).diagnostics.map(({ code }) => code);

describe('codex', () => {
  const sidecar = 'interface:\n  display_name: "Fill forms"\n  short_description: Fills\n    forms\npolicy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    - type: mcp\n      value: figma\n      description: The server\n    - type: mcp\n';

  test('agents/openai.yaml says who may call a skill, and what it needs', async () => {
    place.skill(AT);
    place.write(`${AT}/agents/openai.yaml`, sidecar);
    const entry = await found();
    expect(entry.frontmatter).toMatchObject({ disableModelInvocation: true, displayName: 'Fill forms', shortDescription: 'Fills forms', requiredTools: ['mcp:figma'] });
    expect(isOfferable(entry)).toBe(false);
    expect(entry.status).toBe('loaded');
    expect(entry.diagnostics).toContainEqual({ code: 'dialect-codex', severity: 'info', message: 'agents/openai.yaml is read: the model does not call the skill by itself' });
  });

  test('true changes nothing, and the SKILL.md comes first', async () => {
    place.skill(AT, { more: 'disable-model-invocation: false\ndisplay_name: Own\n' });
    place.write(`${AT}/agents/openai.yaml`, sidecar);
    expect((await found()).frontmatter).toMatchObject({ disableModelInvocation: false, displayName: 'Own' });
    place.skill(AT);
    place.write(`${AT}/agents/openai.yaml`, 'policy:\n  allow_implicit_invocation: true\n');
    expect((await found()).frontmatter.disableModelInvocation).toBeUndefined();
  });

  test('its line for lists stands in for a missing description', async () => {
    place.write(`${AT}/SKILL.md`, '---\nname: x\n---\n# Title\n\nFirst paragraph.\n');
    place.write(`${AT}/agents/openai.yaml`, 'interface:\n  short_description: Fills forms.\n');
    expect((await found()).description).toBe('Fills forms.');
    place.write(`${AT}/agents/openai.yaml`, 'interface: {}\n');
    expect((await found()).description).toBe('First paragraph.');
    place.skill(AT, { more: 'metadata:\n  short-description: In a word.\n' });
    expect((await found()).frontmatter.shortDescription).toBe('In a word.');
  });

  test.each([
    ['broken YAML', 'policy: {', 'sidecar-unreadable'],
    ['a list', '- a\n', 'sidecar-unreadable'],
    ['a bomb', `a: ${'['.repeat(20_000)}`, 'sidecar-unreadable'],
    ['too large', `a: ${'x'.repeat(70_000)}\n`, 'sidecar-unreadable'],
    ['of other types', 'policy: 7\ninterface: [a]\ndependencies: {tools: x}\n', 'dialect-codex'],
  ])('%s leaves the skill as it is', async (_, text, code) => {
    place.skill(AT);
    place.write(`${AT}/agents/openai.yaml`, text);
    const entry = await found();
    expect(entry).toMatchObject({ status: 'loaded', description: 'Does x.' });
    expect(entry.frontmatter.disableModelInvocation).toBeUndefined();
    expect(entry.diagnostics.map((each) => each.code)).toEqual([code]);
  });

  test('nothing is asked of the disk for skills without a folder agents, and what was read is kept', async () => {
    place.skill(AT);
    place.skill('home/.claude/skills/y');
    place.write('home/.claude/skills/y/agents/openai.yaml', sidecar);
    const touched: string[] = [];
    const tree = localTree();
    const counted: ReadTree = { ...tree, stat: (at) => { touched.push(at); return tree.stat(at); }, read: (at) => { touched.push(at); return tree.read(at); } };
    await place.discover({ tree: counted });
    const sidecars = new Set(touched.filter((at) => at.includes(`${path.sep}agents${path.sep}`)).map((at) => path.relative(place.home, at)));
    expect([...sidecars]).toEqual([path.join('.claude/skills/y/agents/openai.yaml')]);
    const now = () => Date.now() + 10_000;
    const cached = () => place.discover({ cache: openSkillCache({ tree, files: localFiles(), folder: path.join(place.home, 'cache'), program: '1', now }) });
    const [first, second] = [await cached(), await cached()];
    expect(entryOf(second, 'user:y').frontmatter).toEqual(JSON.parse(JSON.stringify(entryOf(first, 'user:y').frontmatter)));
    place.write('home/.claude/skills/y/agents/openai.yaml', 'policy:\n  allow_implicit_invocation: true\n');
    expect(entryOf(await cached(), 'user:y').frontmatter.disableModelInvocation).toBeUndefined();
  });

  test('a skill read by itself has it too', async () => {
    const folder = place.skill('s/x');
    place.write('s/x/agents/openai.yaml', sidecar);
    expect((await readDocument(localTree(), { folder, file: path.join(folder, 'SKILL.md') })).frontmatter.displayName).toBe('Fill forms');
  });
});

describe('opencode', () => {
  test('metadata says who may call a skill; arguments count from 1', async () => {
    place.skill(AT, { more: 'metadata:\n  opencode/autoinvoke: "false"\n  opencode/slash: "true"\n' });
    expect((await found()).frontmatter).toMatchObject({ disableModelInvocation: true, userInvocable: true, firstArgument: 1 });
    expect(await codes()).toEqual(['dialect-opencode']);
  });

  test('compatibility: opencode alone counts from 1, a longer text does not', async () => {
    place.skill(AT, { more: 'compatibility: opencode\n' });
    expect((await found()).frontmatter).toMatchObject({ firstArgument: 1, disableModelInvocation: undefined });
    place.skill(AT, { more: 'compatibility: Claude Code and opencode\n' });
    expect((await found()).frontmatter.firstArgument).toBeUndefined();
    expect(await codes()).toEqual([]);
  });

  test('fields of the standard spelling come first', async () => {
    place.skill(AT, { more: 'disable-model-invocation: false\nmetadata: {opencode/autoinvoke: false}\n' });
    expect((await found()).frontmatter.disableModelInvocation).toBe(false);
  });
});

describe('others', () => {
  test('Qwen Code: allowedTools', async () => {
    place.skill(AT, { more: 'allowedTools:\n  - read_file\n  - Bash(git *)\n' });
    expect((await found()).frontmatter.allowedTools).toEqual(['read_file', 'Bash(git *)']);
    expect(await codes()).toEqual(['field-spelling']);
  });

  test('Copilot: user-invokable; pi: disable-model-invocation', async () => {
    place.skill(AT, { more: 'user-invokable: false\n' });
    expect((await found()).frontmatter.userInvocable).toBe(false);
    expect(await codes()).toEqual(['field-spelling']);
    place.skill(AT, { more: 'disable-model-invocation: true\n' });
    expect((await found()).frontmatter.disableModelInvocation).toBe(true);
  });

  test('gemini-cli and goose: name and description are enough', async () => {
    place.skill(AT);
    expect(await found()).toMatchObject({ status: 'loaded', diagnostics: [] });
  });
});
