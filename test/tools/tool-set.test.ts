import { expect, test } from 'vitest';
import { BROWSER_TOOLS, namesBrowserTool } from '../../src/protocol/tool-names.ts';
import { browserTools } from '../../src/tools/browser/browser-tools.ts';
import { builtinTools, toolResolver } from '../../src/tools/tool-set.ts';

const tools = builtinTools({ platform: 'linux' });

test('the tools of the product in one small list', () => {
  const wire = tools.map(({ spec }) => ({ type: 'function', function: { name: spec.name, description: spec.description, parameters: spec.input_schema } }));
  expect(wire.map((tool) => tool.function.name)).toEqual([
    'Read', 'Write', 'Edit', 'Glob', 'Grep', 'LS', 'Bash', 'BashOutput', 'KillShell', 'NotebookEdit', 'TodoWrite', 'Task', 'TaskOutput', 'AskUserQuestion', 'Skill', 'FindTools', 'CallTool', 'EnterPlanMode', 'ExitPlanMode',
  ]);
  const offered = new Set(tools.filter(({ deferred }) => !deferred).map(({ spec }) => spec.name));
  const size = JSON.stringify(wire.filter((tool) => offered.has(tool.function.name))).length;
  console.log(`tool list in OpenAI format: ${size} bytes`);
  // Part of each first request, which has 10 kB.
  expect(size).toBeLessThanOrEqual(6_600);
  for (const tool of tools) expect(tool.spec.description.length, tool.spec.name).toBeLessThanOrEqual(350);
});

test('tools are found by name, alias and letter case', () => {
  const resolve = toolResolver(tools);
  const names = { Read: 'Read', read: 'Read', read_file: 'Read', FileRead: 'Read', write_file: 'Write', FileWrite: 'Write', edit: 'Edit', glob: 'Glob', grep: 'Grep', bash: 'Bash', todo: 'TodoWrite', todo_write: 'TodoWrite', ask_user: 'AskUserQuestion', VectorSearch: 'Grep', run_shell_command: 'Bash', KillBash: 'KillShell', ' skill ': 'Skill' };
  for (const [given, name] of Object.entries(names)) expect(resolve(given)?.spec.name, given).toBe(name);
  expect(resolve('Teleport')).toBeUndefined();
  expect(resolve('constructor')).toBeUndefined();
});

test('the names of the tools of the browser stand for those that are loaded later', () => {
  expect([...BROWSER_TOOLS].sort()).toEqual(browserTools().map(({ spec }) => spec.name).sort());
  expect(browserTools().every(({ deferred }) => deferred)).toBe(true);
  expect(['browser_click', 'BrowserNavigate', ' browser_take_screenshot', 'Browser', 'Read'].map(namesBrowserTool)).toEqual([true, true, true, false, false]);
});

test('calls declare what they need before they run', () => {
  const needs = (name: string, input: Record<string, string>): unknown => toolResolver(tools)(name)?.needs(input, { cwd: '/work/here' });
  expect(needs('Read', { file_path: 'a/../b.txt' })).toEqual([{ action: 'read', path: '/work/here/b.txt' }]);
  expect(needs('Write', { file_path: '/x/y' })).toEqual([{ action: 'edit', path: '/x/y' }]);
  expect(needs('Edit', { file_path: 'y' })).toEqual([{ action: 'edit', path: '/work/here/y' }]);
  expect(needs('NotebookEdit', { notebook_path: 'n.ipynb' })).toEqual([{ action: 'edit', path: '/work/here/n.ipynb' }]);
  expect(needs('Grep', { pattern: 'x' })).toEqual([{ action: 'read', path: '/work/here' }]);
  expect(needs('LS', {})).toEqual([{ action: 'read', path: '/work/here' }]);
  expect(needs('Glob', { pattern: '**/*.ts' })).toEqual([{ action: 'read', path: '/work/here' }]);
  expect(needs('Glob', { pattern: '../other/*.ts' })).toEqual([{ action: 'read', path: '/work/other' }]);
  expect(needs('Glob', { pattern: '/etc/*.conf', path: 'sub' })).toEqual([{ action: 'read', path: '/etc' }]);
  expect(needs('Bash', { command: 'ls -l' })).toEqual([{ action: 'command', command: 'ls -l', cwd: '/work/here' }]);
  expect(needs('Skill', { skill: 'pdf' })).toEqual([{ action: 'skill', skill: 'pdf' }]);
  expect(needs('Task', { prompt: 'x', subagent_type: 'explore' })).toEqual([{ action: 'task', agent: 'explore' }]);
  for (const name of ['BashOutput', 'KillShell', 'TodoWrite', 'AskUserQuestion']) expect(needs(name, {}), name).toEqual([]);
});

test('on Windows the description names PowerShell', () => {
  const bash = builtinTools({ platform: 'win32' }).find((tool) => tool.spec.name === 'Bash');
  expect(bash?.spec.description).toContain('PowerShell');
});
