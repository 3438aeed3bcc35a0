import { createRuntime } from '../runtime/create-runtime.ts';
import type { RuntimeOptions } from '../runtime/parts.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** What the command line says about the runtime itself. */
export interface OpenOptions extends Pick<RuntimeOptions, 'onSkillIndexing' | 'trial'> {
  /** A person sits before the terminal and can be asked. */
  readonly terminal: boolean;
  readonly ephemeral?: boolean;
}

/** Opens the runtime for one command of the command line. */
export function openRuntime(options: OpenOptions): Promise<Runtime> {
  return createRuntime({
    terminal: options.terminal,
    ephemeral: options.ephemeral === true,
    trial: options.trial,
    ...(options.onSkillIndexing ? { onSkillIndexing: options.onSkillIndexing } : {}),
  });
}
