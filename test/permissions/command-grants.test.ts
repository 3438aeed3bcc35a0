import { describe, expect, it } from 'vitest';
import { commandGrants, givesToCommands, notDecided } from '../../src/permissions/command-grants.ts';
import { parseRule } from '../../src/permissions/rule.ts';
import { parseRules, type PermissionRules } from '../../src/permissions/rules.ts';

const NONE: PermissionRules = { allow: [], ask: [], deny: [] };
const parsed = (rules: Partial<PermissionRules>) => {
  const { rules: all, problems } = parseRules({ ...NONE, ...rules });
  expect(problems).toEqual([]);
  return all;
};
const problem = (text: string, purpose: 'grant' | 'restrict' = 'grant'): string | undefined => {
  const answer = parseRule(text, { purpose });
  return 'problem' in answer ? answer.problem.problem : undefined;
};

describe('Network and Env rules', () => {
  it('give commands hosts and variables', () => {
    const rules = parsed({ allow: ['Network(Example.COM)', 'Network(*.npmjs.org)', 'Network(git.example:8443)', 'Network(localhost:4873)', 'Network(127.0.0.1:80)', 'Network([::1]:81)', 'Network(2130706433:82)', 'Network(10.1.2.3)', 'Network(bücher.example)', 'Env(NPM_TOKEN)', 'Bash(ls)'] });
    expect(commandGrants(rules)).toEqual({
      hosts: ['example.com', '*.npmjs.org', 'git.example:8443', 'localhost:4873', 'localhost:80', 'localhost:81', 'localhost:82', '10.1.2.3', 'xn--bcher-kva.example'],
      refused: [],
      variables: ['NPM_TOKEN'],
    });
  });

  it('yield to deny and ask rules, since a command cannot ask in its middle', () => {
    const rules = parsed({ allow: ['Network(a.example)', 'Env(A)', 'Env(B)'], ask: ['Network(b.example)', 'Env(B)'], deny: ['network(*.a.example)'] });
    expect(commandGrants(rules)).toEqual({ hosts: ['a.example'], refused: ['*.a.example', 'b.example'], variables: ['A'] });
    expect(commandGrants(parsed({ allow: ['Network(a.example)', 'Env(A)'], deny: ['Network', 'Env(*)'] }))).toEqual({ hosts: [], refused: [], variables: [] });
  });

  it.each([
    'Network', 'Network()', 'Network(*)', 'Network(a b)', 'Network(https://example.com)', 'Network(example.com/path)', 'Network(user@example.com)', 'Network(localhost)', 'Network(127.0.0.1)', 'Network(0.0.0.0)', 'Network(x.localhost)',
    'Network(*.localhost:80)', 'Network(*.10.1.2.3)', 'Network(example.com:0)', 'Network(example.com:65536)', 'Network(example.com:x)', 'Network(a*.example)', 'Network(domain:example.com)', 'network(example.com)',
    'Env', 'Env()', 'Env(*)', 'Env(A=1)', 'Env(A B)', 'Env(1A)', 'Env(A*)', 'env(A)',
  ])('%s is refused with what to write', (text) => {
    expect(problem(text)).toMatch(/Network\(|Env\(|write /);
  });

  it('of a skill are told from others', () => {
    const kinds = parsed({ allow: ['Network(a.example)', 'Env(A)', 'Bash(ls)', 'WebFetch(domain:a.example)'] }).allow.map(givesToCommands);
    expect(kinds).toEqual([true, true, false, false]);
  });

  it('are asked for only where no rule has decided', () => {
    const rules = parsed({ allow: ['Network(*.given.example)'], deny: ['Network(denied.example)'] });
    expect(notDecided(['x.given.example', 'denied.example', 'new.example', 'localhost:1'], rules)).toEqual(['new.example', 'localhost:1']);
    expect(notDecided(['new.example'], parsed({ deny: ['Network'] }))).toEqual([]);
  });
});
