import { describe, expect, it } from 'vitest';
import { restrictTo } from '../../src/permissions/restrict.ts';
import { parseRule } from '../../src/permissions/rule.ts';
import { ask, bash, edit, read } from './helpers.ts';

const only = (...texts: string[]): ReturnType<typeof restrictTo> =>
  restrictTo(texts.flatMap((text) => {
    const answer = parseRule(text, { purpose: 'restrict' });
    return 'rule' in answer ? [answer.rule] : [];
  }));

describe('a session bound to a skill', () => {
  it('has only the tools listed, in every mode', () => {
    const restriction = only('Read', 'bash(git:*)');
    for (const mode of ['default', 'unrestricted', 'acceptEdits'] as const) {
      expect(edit('/ws/a', { restriction, mode })).toEqual({ verdict: 'deny', reason: 'this skill does not allow the tool Edit' });
      expect(bash('rm x', { restriction, mode })).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('bash(git:*)') });
      expect(bash('git status; rm x', { restriction, mode }).verdict).toBe('deny');
    }
    expect(ask({ tool: 'TodoWrite', restriction }).verdict).toBe('deny');
    expect(read('/ws/a', { restriction }).verdict).toBe('allow');
  });

  it('is not granted what the list names', () => {
    const restriction = only('Bash(git:*)', 'Edit(src/**)');
    expect(bash('git status', { restriction }).verdict).toBe('ask');
    expect(bash('git status', { restriction, mode: 'unrestricted' }).verdict).toBe('allow');
    expect(edit('/ws/src/a', { restriction, mode: 'acceptEdits' }).verdict).toBe('allow');
    expect(edit('/ws/b', { restriction, mode: 'acceptEdits' }).verdict).toBe('deny');
  });

  it('loses every tool when the list is empty', () => {
    expect(read('/ws/a', { restriction: only() }).verdict).toBe('deny');
  });
});
