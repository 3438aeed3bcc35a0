import { describe, expect, it } from 'vitest';
import { settleAnswer, type OpenRequest } from '../../src/permissions/broker.ts';
import { restrictTo } from '../../src/permissions/restrict.ts';
import { parseRule } from '../../src/permissions/rule.ts';
import { ask, bash, edit, read, workspace } from './helpers.ts';

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

describe('answers', () => {
  const waiting = (requestId: string, command: string, rules: readonly string[]): OpenRequest => ({
    requestId, rules,
    request: { call: { tool: 'Bash', needs: [{ action: 'command', command }] }, mode: 'default', workspace, locate: [] },
  });
  const open = [waiting('1', 'git status', ['Bash(git status:*)']), waiting('2', 'git status -s', ['Bash(git status:*)']), waiting('3', 'git push', ['Bash(git push:*)']), waiting('4', 'a | b', [])];
  const rules = { allow: ['Bash(ls:*)'], ask: [], deny: [] };
  const settle = (requestId: string, decision: 'allow' | 'deny', scope: 'once' | 'always'): ReturnType<typeof settleAnswer> =>
    settleAnswer({ answer: { requestId, decision, scope }, open, rules });

  it('store what was shown, and settle the requests that the new rule covers', () => {
    expect(settle('1', 'allow', 'always')).toEqual({ outcome: 'stored', decision: 'allow', added: ['Bash(git status:*)'], rules: { allow: ['Bash(ls:*)', 'Bash(git status:*)'], ask: [], deny: [] }, covered: ['2'] });
    expect(settle('3', 'deny', 'always')).toMatchObject({ outcome: 'stored', rules: { deny: ['Bash(git push:*)'] }, covered: [] });
  });

  it('store nothing for once, and say so where no rule can hold', () => {
    expect(settle('1', 'allow', 'once')).toEqual({ outcome: 'once', decision: 'allow' });
    expect(settle('4', 'allow', 'always')).toMatchObject({ outcome: 'once', reason: expect.stringContaining('no rule') });
  });

  it('are refused for a request that does not wait', () => {
    expect(settle('9', 'allow', 'always')).toEqual({ outcome: 'not open' });
  });
});
