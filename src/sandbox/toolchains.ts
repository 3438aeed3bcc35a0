import { isWithin, SYSTEM_FOLDERS } from './places.ts';

/** Folders below a home that belong to a version manager or package manager as a whole. */
const MANAGERS: ReadonlyMap<string, readonly string[]> = new Map([
  ...['.pyenv', '.nvm', '.rbenv', '.rvm', '.asdf', '.volta', '.bun', '.deno', '.sdkman', '.jenv', '.goenv', '.nodenv', '.fnm', '.npm-global', '.npm-packages', '.yarn', '.dotnet', '.ghcup', '.opam', '.juliaup',
    '.linuxbrew', '.rye', '.pixi', '.proto', 'miniconda3', 'anaconda3', 'miniforge3', 'mambaforge', 'go'].map((name): [string, readonly string[]] => [name, [name]]),
  ['.cargo', ['.cargo', '.rustup']],
]);

/** Where programs in `~/.local/bin` keep the rest of themselves. */
const LOCAL = ['.local/bin', '.local/lib', '.local/pipx', '.local/share/pipx', '.local/share/uv', '.local/share/pnpm', '.local/share/mise', '.local/share/fnm'];

/** Variables that name the folder of a toolchain. */
const FOLDER_VARIABLES = [
  'VIRTUAL_ENV', 'CONDA_PREFIX', 'PYENV_ROOT', 'NVM_DIR', 'NVM_BIN', 'VOLTA_HOME', 'FNM_DIR', 'PNPM_HOME', 'BUN_INSTALL', 'CARGO_HOME', 'RUSTUP_HOME', 'GOROOT', 'GOPATH',
  'JAVA_HOME', 'JDK_HOME', 'RBENV_ROOT', 'GEM_HOME', 'SDKMAN_DIR', 'DOTNET_ROOT', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR',
];

/**
 * Folders that commands have to read so that the programs on the PATH work, beyond those of the system: version
 * managers below the home, virtual environments, and the runtime that this program itself runs on. Some of them may
 * not exist. The home itself and folders that hold it are never among them.
 */
export function toolchainFolders({ env, home, execPath }: { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string; readonly execPath: string }): readonly string[] {
  const entries = [...(env['PATH'] ?? '').split(':'), execPath.slice(0, execPath.lastIndexOf('/'))];
  const named = FOLDER_VARIABLES.flatMap((name) => env[name] ?? []);
  const found = [...entries.flatMap((entry) => foldersOf(plainPath(entry), home)), ...named.map(plainPath)];
  return [...new Set(found)].filter((folder) => folder !== '' && !SYSTEM_FOLDERS.some((system) => isWithin(system, folder)) && !isWithin(folder, home));
}

function foldersOf(entry: string, home: string): readonly string[] {
  // Drives of a Windows host hold no programs for this system.
  if (entry === '' || /^\/mnt\/[a-z](?:\/|$)/.test(entry)) return [];
  const parent = entry.slice(0, entry.lastIndexOf('/'));
  const beside = ['bin', 'sbin'].includes(entry.slice(parent.length + 1)) && parent !== '' ? ['lib', 'libexec', 'share', 'include'].map((name) => `${parent}/${name}`) : [];
  if (!isWithin(home, entry) || home === '/') return [entry, ...beside];
  const below = entry.slice(home.length + 1);
  const [first = '', second, third] = below.split('/');
  if (below === '.local/bin') return LOCAL.map((name) => `${home}/${name}`);
  if (first === '.local' && second === 'share' && third !== undefined) return [`${home}/.local/share/${third}`];
  const manager = MANAGERS.get(first);
  if (manager) return manager.map((name) => `${home}/${name}`);
  // Beside ~/bin lies the home itself.
  return parent === home ? [entry] : [entry, ...beside];
}

/** Absolute and without `//`, `.` and a slash at its end; anything else is no folder to count on. */
function plainPath(path: string): string {
  if (!path.startsWith('/') || path.split('/').includes('..')) return '';
  return `/${path.split('/').filter((name) => name !== '' && name !== '.').join('/')}`;
}
