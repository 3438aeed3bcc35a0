import { describe, expect, it } from 'vitest';
import { parseRule } from '../../src/permissions/rule.ts';
import { anchorRule, parseRules } from '../../src/permissions/rules.ts';
import { bash, edit } from './helpers.ts';

const problem = (text: string): string | undefined => {
  const answer = parseRule(text, { purpose: 'grant' });
  return 'problem' in answer ? answer.problem.problem : undefined;
};

describe('rules', () => {
  it.each([
    'Bash(', '', 'Bash()', 'Bash(:*)', 'Bash( )', 'Bash(git $X:*)', 'Bash(a; b)', 'Bash(a > b)', 'Bash(X=1 a)', 'Bash(rm *.o)', 'Bash("open)', '*', 'mcp__*', 'mcp__s__t(x)',
    'TodoWrite(x)', 'Read(../x)', 'Read([ab])', 'Read({a,b)', 'WebFetch(example.com)', 'WebFetch(domain:)', 'WebFetch(domain:a b)', 'WebFetch(domain:*)', 'Skill(a*b)', 'Edit(a))(', 'bash(git:*)',
  ])('says what is wrong with %s', (text) => {
    expect(problem(text)).toMatch(/\w{3,}/);
  });

  it('reports every rule that does not parse and keeps the others', () => {
    const { rules, problems } = parseRules({ allow: ['Bash(git:*)', 'Bash()'], ask: [], deny: ['nonsense('] });
    expect(rules.allow.map((rule) => rule.text)).toEqual(['Bash(git:*)']);
    expect(problems.map((one) => one.rule)).toEqual(['Bash()', 'nonsense(']);
  });

  it('knows tools by their other names, but a grant has to keep the letter case', () => {
    expect(edit('/ws/a', { rules: { allow: ['write_file'] }, tool: 'Write' }).verdict).toBe('allow');
    expect(bash('rm x', { rules: { deny: ['bash(rm:*)'] } }).verdict).toBe('deny');
    expect(problem('bash(git:*)')).toContain('Bash');
  });

  it('takes the older star form as a prefix of whole words', () => {
    const rules = { allow: ['Bash(git add *)'] };
    expect(bash('git add a b', { rules }).verdict).toBe('allow');
    expect(bash('git addx', { rules }).verdict).toBe('ask');
  });

  it('does not let a rule on a wrapper or an interpreter cover what it runs, unless the rule names the script', () => {
    for (const [rule, command] of [['Bash(timeout 5:*)', 'timeout 5 rm x'], ['Bash(python3:*)', 'python3 -c x'], ['Bash(bash -c:*)', "bash -c 'rm x'"], ['Bash(env git:*)', 'env git x']] as const) {
      expect(bash(command, { rules: { allow: [rule] } }).verdict, rule).toBe('ask');
    }
    expect(bash('python3 run.py a', { rules: { allow: ['Bash(python3 run.py:*)'] } }).verdict).toBe('allow');
  });

  it('anchors file rules to the folder of their settings file', () => {
    expect(anchorRule('Edit(/src/**)', '/home/u/conf')).toBe('Edit(//home/u/conf/src/**)');
    expect(anchorRule('Edit(./src/**)', '/home/u/conf')).toBe('Edit(//home/u/conf/src/**)');
    for (const same of ['Edit(//abs/**)', 'Edit(src/**)', 'Bash(/bin/ls)', 'Edit(~/x)']) expect(anchorRule(same, '/c')).toBe(same);
  });

  it('reads patterns by segment', () => {
    const allowed = (rule: string, path: string): boolean => edit(path, { rules: { allow: [rule] } }).verdict === 'allow';
    expect(allowed('Edit(src/**)', '/ws/src/a/b')).toBe(true);
    expect(allowed('Edit(src/**)', '/ws/src-evil/a')).toBe(false);
    expect(allowed('Edit(src/*)', '/ws/src/a/b')).toBe(false);
    expect(allowed('Edit(src/)', '/ws/src/a/b')).toBe(true);
    expect(allowed('Edit(*.md)', '/ws/deep/down/a.md')).toBe(true);
    expect(allowed('Edit(**/*.{md,txt})', '/ws/deep/a.txt')).toBe(true);
    expect(allowed('Edit(**/*.{md,txt})', '/ws/deep/a.ts')).toBe(false);
    expect(allowed('Edit(a?c)', '/ws/abc')).toBe(true);
  });
});
