import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { resolveModel } from '../../src/model/resolve.ts';
import type { ToolCallPart } from '../../src/protocol/content.ts';
import type { Message } from '../../src/protocol/message.ts';
import { collect, deltas, options, replyIn, requestOf, toolSpec } from './support.ts';

const SKILL = path.resolve(import.meta.dirname, '../../skills/orders-report');

/** Does what the model asks for, with the bundled skill's own files. */
function answer({ tool, input }: ToolCallPart, cwd: string): string {
  const [value = ''] = Object.values(input).map(String);
  switch (tool) {
    case 'Skill': return `<skill name="${value}" folder="${SKILL}">\n${fs.readFileSync(path.join(SKILL, 'SKILL.md'), 'utf8')}\n</skill>`;
    case 'Bash': return execFileSync('/bin/sh', ['-c', value], { cwd, encoding: 'utf8' });
    default: return fs.readFileSync(path.join(cwd, value), 'utf8').split('\n').map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n');
  }
}

it('makes the bundled report and tells figures that are in it', async () => {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-demo-model-'));
  fs.copyFileSync(path.join(SKILL, 'assets', 'orders.csv'), path.join(cwd, 'orders.csv'));
  const model = resolveModel('demo/demo', options());
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Use the orders-report skill: turn orders.csv into a report in out/report.' }] }];
  let last = '';
  for (let step = 0; step < 4; step++) {
    const events = await collect(model, requestOf(messages, { tools: ['Skill', 'Bash', 'Read'].map(toolSpec) }));
    last = deltas(events, 'text.delta');
    const { content } = replyIn(events);
    const results = content.flatMap((part) => (part.type === 'tool_call' ? [{ type: 'tool_result' as const, call_id: part.call_id, tool: part.tool, content: [{ type: 'text' as const, text: answer(part, cwd) }], is_error: false }] : []));
    messages.push({ role: 'assistant', content }, { role: 'tool', content: results });
  }
  const report = fs.readFileSync(path.join(cwd, 'out/report/report.md'), 'utf8');
  const figures = last.split('\n').filter((line) => line.startsWith('- '));
  expect(figures.length).toBeGreaterThan(2);
  for (const line of figures) expect(report).toContain(line);
  expect(last).toContain('out/report/report.html');
  expect(fs.existsSync(path.join(cwd, 'out/report/report.html'))).toBe(true);
  fs.rmSync(cwd, { recursive: true, force: true });
});
