/** Folders of the system that every command may read. What a machine does not have is passed over. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store', '/gnu/store', '/snap', '/home/linuxbrew/.linuxbrew',
  '/var/cache/fontconfig', '/var/lib/texmf', '/var/lib/ghostscript',
];

/** Names below /etc that programs need and that hold no secrets; the rest of /etc is not there. */
export const SYSTEM_SETTINGS: readonly string[] = [
  'passwd', 'group', 'nsswitch.conf', 'hosts', 'host.conf', 'resolv.conf', 'protocols', 'services', 'networks', 'gai.conf', 'localtime', 'timezone', 'locale.alias', 'locale.conf',
  'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'ca-certificates.conf', 'pki/tls', 'pki/ca-trust', 'crypto-policies',
  'fonts', 'mime.types', 'magic', 'magic.mime', 'terminfo', 'inputrc', 'os-release', 'lsb-release', 'debian_version', 'redhat-release', 'alpine-release', 'gitconfig', 'shells',
  'bash.bashrc', 'profile', 'profile.d', 'papersize', 'texmf', 'ImageMagick-6', 'ImageMagick-7', 'libreoffice', 'python2.7', 'python3', 'python3.9', 'python3.10', 'python3.11', 'python3.12', 'python3.13', 'python3.14',
  'perl', 'php', 'R', 'ghc', 'java', 'jvm', 'java-8-openjdk', 'java-11-openjdk', 'java-17-openjdk', 'java-21-openjdk', 'maven', 'gradle', 'openal', 'vulkan', 'OpenCL',
];

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

/** True when `inner` is `root` or lies below it, by segment; both absolute and plain. */
export function isWithin(root: string, inner: string): boolean {
  return root === '/' || inner === root || inner.startsWith(`${root}/`);
}
