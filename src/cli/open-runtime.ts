import { createRuntime } from '../runtime/create-runtime.ts';
import type { RuntimeOptions } from '../runtime/parts.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** What the command line says about the runtime itself. */
export interface OpenOptions extends Pick<RuntimeOptions, 'onSkillIndexing'> {
  /** A person sits before the terminal and can be asked. */
  readonly terminal: boolean;
  readonly ephemeral?: boolean;
  /** False with `--no-tools`: then no command will run. */
  readonly tools?: boolean;
  /** False for commands that only look. */
  readonly turn?: boolean;
}

/** Opens the runtime for one command of the command line. */
export function openRuntime(options: OpenOptions): Promise<Runtime> {
  return createRuntime({
    terminal: options.terminal,
    ephemeral: options.ephemeral === true,
    probeEarly: options.turn !== false && options.tools !== false,
    ...(options.onSkillIndexing ? { onSkillIndexing: options.onSkillIndexing } : {}),
  });
}
