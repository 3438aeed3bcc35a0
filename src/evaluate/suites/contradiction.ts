import type { Check, Expectation } from './suite.ts';

/** Two checks that no run can meet together. */
export function contradictionIn(expectations: readonly Expectation[]): readonly [Expectation, Expectation] | undefined {
  for (const [i, a] of expectations.entries()) {
    const b = expectations.slice(i + 1).find((other) => a.kind === 'check' && other.kind === 'check' && contradict(a.check, other.check));
    if (b) return [a, b];
  }
  return undefined;
}

function contradict(a: Check, b: Check): boolean {
  if (a.type === 'command' && b.type === 'command') return a.command === b.command && a.exit_code !== b.exit_code;
  if ('path' in a && 'path' in b) return a.path === b.path && [a.type, b.type].filter((type) => type === 'file_absent').length === 1;
  const types = [a.type, b.type].sort().join(' ');
  if (types === 'skill_loaded skill_not_loaded' || types === 'script_used skill_not_loaded') return true;
  if (types !== 'tool_called tool_not_called' || !('tool' in a) || !('tool' in b)) return false;
  const refused = a.type === 'tool_not_called' ? a : b;
  return a.tool === b.tool && (refused.pattern === undefined || a.pattern === b.pattern);
}
