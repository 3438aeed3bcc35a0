import { describe, expect, it } from 'vitest';
import { matcherFits } from '../../src/hooks/matcher.ts';
import { parseHooks } from '../../src/hooks/parse-hooks.ts';

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const codes = (value: unknown) => parseHooks(value).diagnostics.map(({ code }) => code);

describe('the hooks map', () => {
  it('is read as Claude Code writes it', () => {
    const { hooks, diagnostics } = parseHooks({
      PreToolUse: [
        { matcher: 'Bash|Write', hooks: [command('a', { timeout: 5, if: 'Bash(git *)', once: true }), command('b', { args: ['x', 1], shell: 'powershell' })] },
        { hooks: [command('c')] },
      ],
      Stop: [{ matcher: 'ignored', hooks: [command('d')] }],
    });
    expect(diagnostics).toEqual([]);
    expect(hooks).toEqual([
      { event: 'PreToolUse', index: 0, command: 'a', matcher: 'Bash|Write', if: 'Bash(git *)', timeout_ms: 5_000, once: true },
      { event: 'PreToolUse', index: 1, command: 'b', matcher: 'Bash|Write', args: ['x', '1'], shell: 'powershell' },
      { event: 'PreToolUse', index: 2, command: 'c' },
      { event: 'Stop', index: 0, command: 'd' },
    ]);
  });

  it.each([
    ['pre_tool_use', 'PreToolUse'], ['preToolUse', 'PreToolUse'], ['post-tool-use', 'PostToolUse'], ['user_prompt_submit', 'UserPromptSubmit'],
    ['BeforeTool', 'PreToolUse'], ['AfterAgent', 'Stop'], ['PreCompress', 'PreCompact'], ['userPromptSubmitted', 'UserPromptSubmit'], ['session_end', 'SessionEnd'],
  ])('knows the event %s as %s', (name, event) => {
    expect(parseHooks({ [name]: [{ hooks: [command('x')] }] })).toMatchObject({ hooks: [{ event, index: 0 }], diagnostics: [] });
  });

  it('takes the time-outs of gemini-cli in ms and all others in seconds', () => {
    const { hooks } = parseHooks({ BeforeTool: [{ hooks: [command('a', { timeout: 5_000 })] }], PreToolUse: [{ hooks: [command('b', { timeout: '2.5' })] }] });
    expect(hooks.map(({ index, timeout_ms }) => [index, timeout_ms])).toEqual([[0, 5_000], [1, 2_500]]);
  });

  it('takes a group, a hook or a text where a list is wanted', () => {
    expect(parseHooks({ Stop: 'a' }).hooks).toHaveLength(1);
    expect(parseHooks({ Stop: ['a', { command: 'b' }] }).hooks.map((hook) => hook.command)).toEqual(['a', 'b']);
    expect(parseHooks({ hooks: { PreToolUse: { matcher: ['Edit', 'Write'], hooks: { command: 'c' } } } }).hooks).toMatchObject([{ matcher: 'Edit|Write', command: 'c' }]);
  });

  it('reports what is not supported and keeps the places of the others', () => {
    const { hooks, diagnostics } = parseHooks({
      PreToolUse: [{ hooks: [{ type: 'http', url: 'https://x' }, { type: 'prompt', prompt: 'ok?' }, { type: 'agent' }, { type: 'mcp_tool' }, command('a')] }],
      Notification: [{ hooks: [command('b')] }],
      PreTolUse: [{ hooks: [command('c')] }],
    });
    expect(hooks).toEqual([{ event: 'PreToolUse', index: 4, command: 'a' }]);
    expect(diagnostics.map(({ code }) => code)).toEqual([...Array.from({ length: 4 }, () => 'hook-type-unsupported'), 'hook-event-unsupported', 'hook-event-unknown']);
    expect(diagnostics.at(-1)?.message).toContain('did you mean PreToolUse?');
  });

  it.each([
    [null, 'hooks-shape'], [[], 'hooks-shape'], ['x', 'hooks-shape'], [{ Stop: [5] }, 'hooks-shape'], [{ Stop: [{ hooks: [{}] }] }, 'hooks-shape'],
    [{ Stop: [{ hooks: [{ type: 'wasm', command: 'x' }] }] }, 'hook-type-unknown'],
    [{ PreToolUse: [{ matcher: '(', hooks: [command('a')] }] }, 'hook-matcher'], [{ PreToolUse: [{ matcher: { a: 1 }, hooks: [command('a')] }] }, 'hook-matcher'],
    [{ PreToolUse: [{ hooks: [command('a', { if: 'Bash(' })] }] }, 'hook-if'], [{ Stop: [{ hooks: [command('a', { if: 'Bash' })] }] }, 'hook-if'],
    [{ Stop: [{ hooks: [command('a', { args: 'x' })] }] }, 'hooks-shape'],
  ])('of %j brings no hook and one sentence', (value, code) => {
    expect(parseHooks(value).hooks).toEqual([]);
    expect(codes(value)).toEqual([code]);
  });

  it('says that async hooks are waited for, and that a time-out is none', () => {
    expect(codes({ Stop: [{ hooks: [command('a', { async: true, timeout: -1 })] }] })).toEqual(['hook-async', 'hooks-shape']);
  });

  it('keeps 200 hooks at most', () => {
    const { hooks, diagnostics } = parseHooks({ Stop: Array.from({ length: 300 }, (_, i) => `echo ${i}`) });
    expect(hooks).toHaveLength(200);
    expect(diagnostics.map(({ code }) => code)).toEqual(['hooks-too-many']);
  });
});

describe('a matcher', () => {
  it.each([
    [undefined, 'Bash', true], ['', 'Bash', true], ['*', 'Bash', true],
    ['Bash', 'Bash', true], ['Bash', 'BashOutput', false], ['Edit|Write', 'Write', true], ['Edit, Write', 'Edit', true], ['Edit|Write', 'NotebookEdit', false],
    ['run_shell_command', 'Bash', true], ['shell|apply_patch', 'Edit', true], ['mcp__memory__save', 'mcp__memory__save', true],
    ['^Notebook', 'NotebookEdit', true], ['mcp__.*__write', 'mcp__files__write_file', true], ['^(Edit|Write)$', 'NotebookEdit', false],
  ])('%j and %s: %s', (matcher, name, fits) => {
    expect(matcherFits(matcher, [name])).toBe(fits);
  });
});
