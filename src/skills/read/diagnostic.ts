import type { SkillDiagnostic } from '../../protocol/skill.ts';

/** A finding that makes the file invalid for strict readers. */
export function fault(code: string, message: string, fix?: string): SkillDiagnostic {
  return { code, severity: 'error', message, ...(fix === undefined ? {} : { fix }) };
}

/** A finding that a person should look at. */
export function warning(code: string, message: string, fix?: string): SkillDiagnostic {
  return { code, severity: 'warning', message, ...(fix === undefined ? {} : { fix }) };
}

/** A finding without a consequence here. */
export function info(code: string, message: string, fix?: string): SkillDiagnostic {
  return { code, severity: 'info', message, ...(fix === undefined ? {} : { fix }) };
}
