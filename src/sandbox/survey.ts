import fs from 'node:fs';
import path from 'node:path';
import { gitIdentity } from './git-identity.ts';
import { CREDENTIALS } from './places.ts';
import type { HiddenPlace, PolicyInput } from './policy.ts';
import { toolchainFolders } from './toolchains.ts';

/** What of this machine a policy depends on. */
export type SandboxSurvey = Pick<PolicyInput, 'toolchains' | 'credentials' | 'gitIdentity'>;

/**
 * Looks at the machine once for all policies of a process: folders of the programs on the PATH, places with
 * credentials, the person's git identity. The latter is written to `folder`, which commands do not see otherwise
 * (made when missing, for this user alone).
 */
export function surveySandbox({ env, home, folder, execPath }: { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string; readonly folder: string; readonly execPath: string }): SandboxSurvey {
  const toolchains = toolchainFolders({ env, home, execPath }).filter((one) => fs.existsSync(one));
  const credentials = CREDENTIALS.flatMap((name) => hiddenPlace(path.join(home, name)));
  const texts = [env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), home]
    .map((base, index) => path.join(base, index === 0 ? 'git/config' : '.gitconfig'))
    .flatMap((file) => (fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? [fs.readFileSync(file, 'utf8')] : []));
  const identity = gitIdentity(texts);
  if (identity === '') return { toolchains, credentials };
  const file = path.join(folder, 'gitconfig');
  const known = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  if (known !== identity) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${file}.${process.pid}`, identity, { mode: 0o600 });
    fs.renameSync(`${file}.${process.pid}`, file);
  }
  return { toolchains, credentials, gitIdentity: file };
}

function hiddenPlace(place: string): readonly HiddenPlace[] {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isSymbolicLink()) return [{ path: place, kind: stat.isDirectory() ? 'folder' : 'file' }];
  // A mount cannot stand on a symlink; what it leads to is hidden instead.
  const real = fs.statSync(place, { throwIfNoEntry: false });
  return real ? [{ path: fs.realpathSync(place), kind: real.isDirectory() ? 'folder' : 'file' }] : [];
}
