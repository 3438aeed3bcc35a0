import fs from 'node:fs';
import path from 'node:path';
import type { Host } from '../host/host.ts';
import { gitIdentity } from './git-identity.ts';
import { CREDENTIALS, MAC_CREDENTIALS, MAC_DATA, MAC_SYSTEM_FOLDERS, SECRET_SETTINGS, SYSTEM_FOLDERS } from './places.ts';
import type { HiddenPlace, PolicyInput, SystemFolders } from './policy.ts';
import { developerFolders } from './seatbelt/developer-folders.ts';
import { toolchainFolders } from './toolchains.ts';

/** What of this machine a policy depends on. */
export type SandboxSurvey = Pick<PolicyInput, 'system' | 'toolchains' | 'credentials' | 'gitIdentity'>;

/** Where to look. */
export interface SurveyOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly folder: string;
  readonly execPath: string;
  readonly platform?: Host['platform'];
}

/**
 * Looks at the machine once for all policies of a process: folders of the programs on the PATH, places with
 * credentials, the person's git identity. The latter is written to `folder`, which commands do not see otherwise
 * (made when missing, for this user alone).
 */
export function surveySandbox({ env, home, folder, execPath, platform = 'linux' }: SurveyOptions): SandboxSurvey {
  const toolchains = toolchainFolders({ env, home, execPath }).filter((one) => fs.existsSync(one));
  const { system, credentials } = platform === 'darwin' ? surveyMac(home) : { system: systemFolders(), credentials: [...CREDENTIALS.flatMap((name) => hiddenPlace(path.join(home, name))), ...secretSettings('/etc')] };
  const texts = [env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), home]
    .map((base, index) => path.join(base, index === 0 ? 'git/config' : '.gitconfig'))
    .flatMap((file) => (fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? [fs.readFileSync(file, 'utf8')] : []));
  const identity = gitIdentity(texts);
  if (identity === '') return { system, toolchains, credentials };
  const file = path.join(folder, 'gitconfig');
  const known = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
  if (known !== identity) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${file}.${process.pid}`, identity, { mode: 0o600 });
    fs.renameSync(`${file}.${process.pid}`, file);
  }
  return { system, toolchains, credentials, gitIdentity: file };
}

/** All by real paths, since nothing else is compared there. */
function surveyMac(home: string): Required<Pick<SandboxSurvey, 'system' | 'credentials'>> {
  const base = fs.existsSync(home) ? fs.realpathSync.native(home) : home;
  const places = [...[...CREDENTIALS, ...MAC_CREDENTIALS].map((name) => path.join(base, name)), ...MAC_DATA];
  return { system: { folders: [...new Set([...MAC_SYSTEM_FOLDERS, ...developerFolders()])], links: [] }, credentials: [...places.flatMap(hiddenPlace), ...secretSettings('/private/etc')] };
}

function systemFolders(): SystemFolders {
  const there = SYSTEM_FOLDERS.flatMap((folder) => {
    const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
    return stat ? [{ folder, link: stat.isSymbolicLink() ? fs.readlinkSync(folder) : undefined }] : [];
  });
  return {
    folders: there.flatMap(({ folder, link }) => (link === undefined ? [folder] : [])),
    links: there.flatMap(({ folder, link }) => (link === undefined ? [] : [{ path: folder, target: link }])),
  };
}

/** Root may read everything, also in the sandbox: what other users may not read in /etc has to be hidden. For others the system does it. */
function secretSettings(etc: string): readonly HiddenPlace[] {
  const known = SECRET_SETTINGS.flatMap((name) => hiddenPlace(`${etc}/${name}`));
  return process.getuid?.() === 0 && fs.existsSync(etc) ? [...known, ...closedIn(etc, new Set(known.map((place) => place.path)))] : known;
}

/** What not every user may read in a folder, however deep. */
function closedIn(folder: string, known: ReadonlySet<string>): readonly HiddenPlace[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = `${folder}/${entry.name}`;
    if (entry.isSymbolicLink() || known.has(place)) return [];
    const needed = entry.isDirectory() ? 0o005 : 0o004;
    const mode = fs.lstatSync(place, { throwIfNoEntry: false })?.mode ?? needed;
    if ((mode & needed) !== needed) return hiddenPlace(place);
    return entry.isDirectory() ? closedIn(place, known) : [];
  });
}

function hiddenPlace(place: string): readonly HiddenPlace[] {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isSymbolicLink()) return [{ path: place, kind: stat.isDirectory() ? 'folder' : 'file' }];
  // A mount cannot stand on a symlink; what it leads to is hidden instead.
  const real = fs.statSync(place, { throwIfNoEntry: false });
  return real ? [{ path: fs.realpathSync(place), kind: real.isDirectory() ? 'folder' : 'file' }] : [];
}
