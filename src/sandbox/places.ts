/** Folders of the system that every command may read. What a machine does not have is passed over. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix/store', '/gnu/store', '/snap', '/home/linuxbrew/.linuxbrew',
  '/var/cache/fontconfig', '/var/lib/texmf', '/var/lib/ghostscript',
];

/**
 * The same on macOS, by their real paths. Of /System not the whole: it also leads to the volume with everybody's files. The tools
 * behind /usr/bin/git, clang and others lie in one of the developer folders.
 */
export const MAC_SYSTEM_FOLDERS: readonly string[] = [
  '/usr', '/bin', '/sbin', '/opt', '/nix/store', '/private/etc', '/private/var/select', '/private/var/db/dyld', '/private/var/db/timezone', '/private/var/db/xcode_select_link',
  '/System/Library', '/System/Cryptexes', '/System/Volumes/Preboot/Cryptexes', '/System/iOSSupport', '/Library/Apple', '/Library/Developer', '/Library/Frameworks', '/Library/Fonts',
  '/Library/Java', '/Library/Perl', '/Library/Ruby', '/Library/TeX', '/Applications/Xcode.app',
];

/** Places below /etc that hold secrets, beside everything there that not every user may read. */
export const SECRET_SETTINGS: readonly string[] = ['ssh', 'ssl/private', 'security', 'pki/tls/private', 'kubernetes', 'rancher', 'docker', 'containers', 'NetworkManager', 'wireguard', 'openvpn', 'letsencrypt', 'krb5.keytab', 'npmrc', 'environment'];

/**
 * Places below a home that hold credentials, browser profiles or what a person typed. They are hidden wherever a folder
 * that a command may use would show them.
 */
export const CREDENTIALS: readonly string[] = [
  '.ssh', '.gnupg', '.aws', '.azure', '.config/gcloud', '.kube', '.docker', '.oci', '.config/doctl', '.config/gh', '.config/glab-cli', '.config/hub', '.config/op', '.password-store',
  '.netrc', '.git-credentials', '.config/git/credentials', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.config/pip', '.pip', '.cargo/credentials', '.cargo/credentials.toml',
  '.gem/credentials', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties', '.composer/auth.json', '.config/composer/auth.json', '.nuget/NuGet', '.terraform.d', '.terraformrc',
  '.vault-token', '.pgpass', '.my.cnf', '.boto', '.s3cfg', '.config/rclone', '.local/share/keyrings', '.local/share/kwalletd', '.config/Bitwarden', '.electrum', '.bitcoin',
  '.mozilla', '.thunderbird', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge', '.config/vivaldi', '.config/opera', 'Library/Keychains', 'Library/Application Support',
  '.claude.json', '.claude/.credentials.json', '.codex', '.gemini', '.config/opencode', '.local/share/opencode', '.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history',
];

/** Folders of databases and logs that belong to the person on a Mac, in what is shown of the system. */
export const MAC_DATA: readonly string[] = ['/opt/homebrew/var', '/usr/local/var'];

/** Further places with credentials or what a person keeps to themselves, below a home on macOS. */
export const MAC_CREDENTIALS: readonly string[] = ['Library/Accounts', 'Library/Calendars', 'Library/Containers', 'Library/Cookies', 'Library/Group Containers', 'Library/HTTPStorages', 'Library/Mail', 'Library/Messages', 'Library/Preferences', 'Library/Safari', 'Library/WebKit'];

/** True when `inner` is `root` or lies below it, by segment; both absolute and plain. */
export function isWithin(root: string, inner: string): boolean {
  return root === '/' || inner === root || inner.startsWith(`${root}/`);
}
