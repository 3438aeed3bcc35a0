import fs from 'node:fs';
import { systemCode } from '../../protocol/errors.ts';
import { guardsIn } from '../guards.ts';
import type { SandboxMechanism } from '../mechanism.ts';
import type { SandboxPolicy } from '../policy.ts';
import { seatbeltProfile } from './profile.ts';

const NO_PORTS = { listen: [], connect: [] };
const SPOKE = 'sandbox-exec: ';

/**
 * Commands under a profile of their own, given to `sandboxExec`. Nothing is moved or made for them: what is protected is kept by
 * its name, and the folder that is /tmp elsewhere stays where it is. What a command starts stays under the profile; it ends with
 * its process group, and there is nothing that ends processes which have left it.
 */
export function seatbeltMechanism({ sandboxExec }: { readonly sandboxExec: string }): SandboxMechanism {
  return {
    enclose: (policy, { argv, entrance }) => {
      const kept = policy.guarded.flatMap((root) => guardsIn(root, () => false)).flatMap((guard) => (guard.keep === 'read-only' ? [guard.path] : []));
      const profile = seatbeltProfile(policy, { kept, ports: entrance?.ports ?? NO_PORTS, spellings });
      return { argv: [sandboxExec, '-p', profile, '--', ...argv], env: environment(policy), release: () => undefined };
    },
    startProblem: ({ code }, first) => (code !== 0 && first.startsWith(SPOKE) ? first.slice(SPOKE.length).trim().split('\n')[0] : undefined),
  };
}

/** As given, and as it is on the disk, which is what profiles are compared with. */
function spellings(place: string): readonly string[] {
  try {
    return [...new Set([place, fs.realpathSync.native(place)])];
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error))) return [place];
    throw error;
  }
}

/** git stops at a file of settings that it may not read, so it is always led to one that it may. */
function environment({ temporary, files, home }: SandboxPolicy): Readonly<Record<string, string>> {
  const identity = files.find(({ target }) => target === `${home}/.gitconfig`)?.source ?? '/dev/null';
  const git = { GIT_CONFIG_GLOBAL: identity };
  return temporary === undefined ? git : { ...git, TMPDIR: temporary, TMP: temporary, TEMP: temporary, XDG_CACHE_HOME: `${temporary}/.cache`, npm_config_cache: `${temporary}/.npm` };
}
