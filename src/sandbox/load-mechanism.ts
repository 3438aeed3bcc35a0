import { never } from '../util/never.ts';
import { bubblewrapMechanism } from './bubblewrap-mechanism.ts';
import type { GuardKeeper } from './guards.ts';
import type { SandboxMechanism } from './mechanism.ts';
import type { SandboxReport } from './probe.ts';

/** What the probe found to work, made ready for commands; undefined where nothing does. */
export async function loadMechanism({ mechanism, bubblewrap, sandboxExec, forbidNested }: SandboxReport, guards: GuardKeeper): Promise<SandboxMechanism | undefined> {
  switch (mechanism) {
    case 'none': return undefined;
    case 'bubblewrap': return bubblewrap === undefined ? undefined : bubblewrapMechanism({ bubblewrap, guards, forbidNested });
    case 'seatbelt': return sandboxExec === undefined ? undefined : (await import('./seatbelt/seatbelt-mechanism.ts')).seatbeltMechanism({ sandboxExec });
    default: return never(mechanism);
  }
}
