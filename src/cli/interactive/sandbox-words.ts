import type { SandboxInfo } from '../../runtime/runtime.ts';

/** How commands of a conversation will run. */
export interface SandboxUse {
  readonly report: Pick<SandboxInfo, 'state'>;
  /** Of the flags or the settings; `ask` where neither says anything. */
  readonly setting: 'required' | 'ask' | 'off' | undefined;
  readonly tools: 'all' | 'none' | undefined;
}

/** The sandbox in the words of the greeting. */
export function sandboxWords({ report, setting = 'ask', tools }: SandboxUse): string {
  if (tools === 'none') return 'not needed (no tools)';
  if (setting === 'off') return 'off (not isolated)';
  if (report.state !== 'not isolated') return report.state;
  return setting === 'required' ? 'required, but not available' : 'not isolated, asks first';
}
