import { SkillmintError } from '../protocol/errors.ts';
import { never } from '../util/never.ts';
import type { SandboxReport } from './probe.ts';

/** Whether commands must, should or need not run in a sandbox. */
export type SandboxSetting = 'required' | 'ask' | 'off';

/** How commands of this process run. `line` is for faces: one line on the state and, where there is one, the remedy. */
export type SandboxChoice =
  | { readonly run: 'sandboxed'; readonly state: 'isolated' | 'limited'; readonly line: string }
  /** Nothing runs until the person said so for this session. */
  | { readonly run: 'after consent'; readonly state: 'not isolated'; readonly line: string }
  /** The person turned the sandbox off. */
  | { readonly run: 'open'; readonly state: 'not isolated'; readonly line: string };

/**
 * Brings the setting and what the probe found together. There is no silent way from the first to the last choice.
 * @throws SkillmintError `sandbox_unavailable` when a sandbox is required and there is none.
 */
export function chooseSandbox({ setting, report }: { readonly setting: SandboxSetting; readonly report: SandboxReport }): SandboxChoice {
  const line = describeReport(report);
  switch (setting) {
    case 'off': return { run: 'open', state: 'not isolated', line: 'not isolated: the sandbox is off' };
    case 'required':
      if (report.state === 'not isolated') throw new SkillmintError('sandbox_unavailable', `a sandbox is required and there is none: ${line.replace(/^not isolated: /, '')}`);
      return { run: 'sandboxed', state: report.state, line };
    case 'ask':
      if (report.state === 'not isolated') return { run: 'after consent', state: report.state, line };
      return { run: 'sandboxed', state: report.state, line };
    default: return never(setting);
  }
}

/** The report in one line. */
export function describeReport({ state, mechanism, reason, remedy }: SandboxReport): string {
  const what = reason ?? (mechanism === 'none' ? '' : mechanism);
  return [state, what === '' ? '' : `: ${what}`, remedy === undefined ? '' : `; to change it: ${remedy}`].join('');
}
