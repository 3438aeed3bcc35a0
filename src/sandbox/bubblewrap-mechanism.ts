import { bubblewrapArgs } from './bubblewrap-args.ts';
import type { GuardKeeper } from './guards.ts';
import type { SandboxMechanism } from './mechanism.ts';

/** What bubblewrap is started with. */
export interface BubblewrapOptions {
  /** Absolute path of bubblewrap. */
  readonly bubblewrap: string;
  readonly guards: GuardKeeper;
  /** See `BubblewrapCommand.forbidNested`; the probe's report says it. */
  readonly forbidNested: boolean;
}

/** Caches go where a command may write. */
const TEMPORARY = { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp', XDG_CACHE_HOME: '/tmp/.cache', npm_config_cache: '/tmp/.npm' };

/** Commands in namespaces of their own. Ending one ends everything it started, whatever group or session that is in. */
export function bubblewrapMechanism({ bubblewrap, guards, forbidNested }: BubblewrapOptions): SandboxMechanism {
  return {
    enclose: (policy, { argv, cwd, entrance }) => {
      const held = guards.hold(policy);
      const args = bubblewrapArgs(policy, { argv, cwd, guards: held.guards, forbidNested, inNetwork: entrance !== undefined });
      return { argv: [...(entrance?.enter ?? []), bubblewrap, ...args], env: TEMPORARY, release: held.release };
    },
    startProblem: ({ code }, first) => (code === 1 && first.startsWith('bwrap: ') ? first.slice('bwrap: '.length).trim() : undefined),
  };
}
