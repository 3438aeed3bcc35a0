import { expect, it } from 'vitest';
import { parseRules } from '../../src/permissions/rules.ts';
import { grantedAddresses } from '../../src/runtime/web/web-guard.ts';

const granted = (allow: readonly string[], deny: readonly string[] = []): readonly string[] => grantedAddresses(parseRules({ allow, ask: [], deny }).rules);

it('rules open addresses that they name, and no name, which may lead anywhere', () => {
  expect(granted(['Network(localhost:3000)'])).toEqual(['localhost:3000', '127.0.0.1:3000', '[::1]:3000']);
  expect(granted(['Network(10.1.2.3)', 'Network(10.1.2.3:8080)', 'Network([fd00::1])', 'Network([fd00::1]:81)'])).toEqual(['10.1.2.3', '10.1.2.3:8080', '[fd00::1]', '[fd00::1]:81']);
  expect(granted(['Network(intranet.example)', 'Network(*.example.com)', 'Network(example.com:8443)', 'WebFetch(domain:127.0.0.1)', 'WebFetch', 'Bash'])).toEqual([]);
});

it('deny rules take them away', () => {
  expect(granted(['Network(localhost:3000)', 'Network(10.1.2.3)'], ['Network(localhost:3000)'])).toEqual(['10.1.2.3']);
  expect(granted(['Network(localhost:3000)'], ['Network'])).toEqual([]);
});
