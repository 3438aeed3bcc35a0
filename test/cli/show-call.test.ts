import { describe, expect, it } from 'vitest';
import { questionText } from '../../src/cli/run/question-text.ts';
import { callLine, shellWord, wholeCall } from '../../src/cli/run/show-call.ts';
import { waitingLine } from '../../src/cli/run/waiting-line.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { OpenRequest } from '../../src/protocol/session-state.ts';

const LONG = `echo safe ${'a'.repeat(300)} && rm -rf /x`;
const PLAIN = { bold: (text: string) => text, yellow: (text: string) => text };

function permission(input: JsonObject, { tool = 'Bash', rules = [] }: { readonly tool?: string; readonly rules?: readonly string[] } = {}): OpenRequest {
  const question = { kind: 'permission', request_id: 'req_1', reason: 'it runs a command', rules, unsandboxed: false } as const;
  return { call: { call_id: 'c', tool, input, phase: 'requested', question }, question };
}

function question(text: string, options?: readonly string[]): OpenRequest {
  const asked = { kind: 'question', request_id: 'req_1', question: text, ...(options ? { options } : {}) } as const;
  return { call: { call_id: 'c', tool: 'AskUserQuestion', input: {}, phase: 'requested', question: asked }, question: asked };
}

/** The argument again from its lines: `│` begins a line, `┊` goes on with it. */
function joined(lines: readonly string[]): string {
  return lines.slice(1).map((line) => (line.startsWith('  ┊ ') ? line.slice(4) : `\n${line.slice(4)}`)).join('').slice(1);
}

describe('a call on one line', () => {
  it.each([
    ['a command, whatever is said of it', { description: 'Lists files', command: 'ls' }, 'ls'],
    ['what a sub-agent is to do', { prompt: 'long', description: 'Write part one', subagent_type: 'explore' }, 'Write part one'],
    ['the questions to a person', { questions: [{ question: 'Which one?', options: [{ label: 'a' }] }, { question: 'And why?' }] }, 'Which one? And why?'],
    ['anything else as it is', { ids: [1] }, '{"ids":[1]}'],
    ['questions that are none', { questions: [1] }, '{"questions":[1]}'],
  ])('says what tells most: %s', (_name, input, line) => {
    expect(callLine(input)).toBe(line);
  });
});

describe('a whole call', () => {
  it.each([['long', LONG], ['of many lines', Array.from({ length: 500 }, (_, i) => `echo ${i}`).join('\n')], ['long and wide', `echo ${'数据'.repeat(200)} && rm x`], ['with an empty line', 'a\n\nb']])('is never cut: a command that is %s', (_name, command) => {
    const lines = wholeCall({ command }, { width: 80, contentLines: 10 });
    expect(joined(lines)).toBe(command);
  });

  it('fits into the terminal, counting wide characters twice', () => {
    const [, ...lines] = wholeCall({ command: `${'数'.repeat(100)}` }, { width: 40 });
    expect(lines.map((line) => line.length)).toEqual([22, 22, 22, 22, 22, 14]);
  });

  it('stays on one line where it fits, with the telling argument first and every other one after it', () => {
    expect(wholeCall({ description: 'harmless', timeout: 5, command: 'rm -rf build' }, { width: 80 })).toEqual(['  command: rm -rf build', '  description: harmless', '  timeout: 5']);
    expect(wholeCall({ a: { b: ['c'] } }, { width: 80 })).toEqual(['  a (5 lines):', '  │ {', '  │   "b": [', '  │     "c"', '  │   ]', '  │ }']);
  });

  it('cuts the content of a file in its middle, and counts', () => {
    const content = Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n');
    const lines = wholeCall({ file_path: '/p/a.txt', content }, { width: 80, contentLines: 30 });
    expect(lines).toHaveLength(33);
    expect(lines.slice(0, 3)).toEqual(['  file_path: /p/a.txt', '  content (300 lines):', '  │ line 0']);
    expect(lines[22]).toBe('  ⋮ 270 lines more, not shown here');
    expect(lines.at(-1)).toBe('  │ line 299');
    expect(wholeCall({ content }, { width: 80 })).toHaveLength(301);
  });

  it('shows what could deceive', () => {
    expect(wholeCall({ command: 'echo \u202e\u001b[8mx', 'a\nb': '\u200b' }, { width: 80 })).toEqual([String.raw`  command: echo \u202e\u001b[8mx`, String.raw`  a b: \u200b`]);
  });
});

describe('a question to a person', () => {
  it('shows tool, reason, the whole call and what would be stored', () => {
    const text = questionText(permission({ command: LONG }, { tool: 'Ba\u202esh', rules: ['Bash(echo *)', 'Bash(\u001b)'] }), { width: 80, paint: PLAIN });
    expect(text.split('\n')[0]).toBe(String.raw`? Ba\u202esh: it runs a command`);
    expect(text.replace(/\n {2}┊ /g, '')).toContain(LONG);
    expect(text).toContain(String.raw`  always would store: Bash(\u001b)`);
  });

  it('shows options by number, with nothing that steers the terminal', () => {
    expect(questionText(question('Which\u001b[1m?\nReally?', ['red\u202e', 'blue']), { width: 80, paint: PLAIN })).toBe([String.raw`Which\u001b[1m?`, 'Really?', String.raw`  1. red\u202e`, '  2. blue'].join('\n'));
  });
});

describe('the line on what a session waits for', () => {
  const waits = (open: readonly OpenRequest[], ephemeral = false): string => waitingLine({ session_id: 'ses_1', open }, { ephemeral });

  it('shows a call that fits', () => {
    expect(waits([permission({ command: 'npm test' })])).toBe('Session ses_1 waits for consent: Bash {"command":"npm test"}. Answer with: skillmint answer ses_1 --allow | --always | --deny');
  });

  it('says that a call is cut, and where the whole one stands', () => {
    const line = waits([permission({ description: 'harmless', command: LONG }), permission({ command: 'x' })]);
    expect(line).toContain('waits for consent (and 1 more): Bash {"command":"echo safe');
    expect(line).toContain('… (cut; the whole call: skillmint sessions show ses_1). Answer with:');
    expect(line).not.toContain('rm -rf');
  });

  it('asks the question', () => {
    expect(waits([question('Which host?')])).toBe('Session ses_1 asks: Which host? Answer with: skillmint answer ses_1 "TEXT"');
  });

  it('says of an ephemeral session that it cannot be answered, and what to do', () => {
    for (const open of [permission({ command: 'x' }), permission({ command: LONG }), question('Which host?')]) {
      expect(waits([open], true)).toMatch(/An ephemeral session cannot be answered\. .*without --ephemeral\.$/);
      expect(waits([open], true)).not.toMatch(/skillmint (answer|sessions)|ses_1/);
    }
    expect(waits([permission({ command: "echo 'a'" }, { rules: ["Bash(echo 'a')"] })], true)).toContain(`--allow ${String.raw`'Bash(echo '\''a'\'')'`} or another --permission-mode`);
    expect(waits([permission({ command: 'x' })], true)).toContain('--allow RULE or another');
  });
});

it('a call in passing is one line, cut between characters', () => {
  expect(callLine({ command: 'a\nb' })).toBe('a b');
  expect(callLine({ command: `${'a'.repeat(109)}😀b` })).toBe(`${'a'.repeat(109)}…`);
  expect(shellWord("it's")).toBe(String.raw`'it'\''s'`);
});
