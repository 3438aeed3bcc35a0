import { describe, expect, it } from 'vitest';
import { hookLine } from '../../src/cli/run/show-hook.ts';

const run = { type: 'hook.completed', session_id: 's', time: '', seq: 1, event: 'PreToolUse', source: 'user:guard', index: 0, command: 'x', status: 'ok', duration_ms: 1 } as const;

describe('a hook in a terminal', () => {
  it('is not shown when it went well and changed nothing', () => {
    expect(hookLine(run)).toBeUndefined();
  });

  it.each([
    [{ message: 'two\nlines \u001b[31mred' }, 'hook PreToolUse of user:guard: two lines'],
    [{ status: 'blocked', message: 'no' }, 'hook PreToolUse of user:guard (blocked): no'],
    [{ decision: 'allow' }, 'hook PreToolUse of user:guard: let the call pass'],
    [{ decision: 'allow', updated_input: {} }, 'hook PreToolUse of user:guard: changed the input of the call'],
    [{ status: 'error', message: 'x'.repeat(1_000) }, `hook PreToolUse of user:guard (error): ${'x'.repeat(300)}…`],
  ] as const)('with %j', (more, line) => {
    expect(hookLine({ ...run, ...more })).toMatch(new RegExp(`^${line.replace(/[()]/g, '\\$&')}`));
    expect(hookLine({ ...run, ...more })).not.toContain('\u001b');
  });
});
