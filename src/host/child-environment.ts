/** Variables by exact name, in upper case. */
const KEPT = new Set([
  // the person and the system
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR',
  'COLUMNS', 'LINES', 'TMPDIR', 'TEMP', 'TMP', 'EDITOR', 'PAGER', 'DISPLAY', 'WAYLAND_DISPLAY', 'CI', 'NODE_ENV', 'HOSTNAME',
  'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR',
  // toolchains
  'NVM_DIR', 'NVM_BIN', 'VOLTA_HOME', 'FNM_DIR', 'PNPM_HOME', 'BUN_INSTALL', 'DENO_DIR', 'COREPACK_HOME',
  'CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'GOPATH', 'GOROOT', 'GOBIN', 'GOCACHE', 'GOMODCACHE', 'GOFLAGS', 'GOPROXY',
  'PYENV_ROOT', 'PYENV_VERSION', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'CONDA_DEFAULT_ENV', 'PYTHONPATH', 'PYTHONIOENCODING', 'PYTHONUTF8',
  'JAVA_HOME', 'JDK_HOME', 'MAVEN_HOME', 'M2_HOME', 'GRADLE_HOME', 'GRADLE_USER_HOME', 'SDKMAN_DIR', 'KOTLIN_HOME',
  'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'RBENV_ROOT', 'RBENV_VERSION', 'GEM_HOME', 'GEM_PATH', 'BUNDLE_PATH', 'DOTNET_ROOT', 'ASDF_DIR',
  'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'HOMEBREW_PREFIX', 'CC', 'CXX', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS', 'MAKEFLAGS', 'PKG_CONFIG_PATH',
  'CMAKE_PREFIX_PATH', 'CUDA_HOME', 'CUDA_VISIBLE_DEVICES', 'NIX_PATH', 'NIX_SSL_CERT_FILE', 'MANPATH', 'INFOPATH',
  // the way out
  'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE', 'PIP_CERT', 'GIT_SSL_CAINFO',
  // git identity
  'GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL',
  // Windows
  'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'PSMODULEPATH', 'USERPROFILE', 'USERNAME', 'USERDOMAIN', 'HOMEDRIVE', 'HOMEPATH',
  'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'COMMONPROGRAMFILES', 'PUBLIC', 'OS',
  'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'PROCESSOR_IDENTIFIER',
]);

/** A proxy address may carry a name and password; only the address is passed on. */
const PROXIES = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']);

/**
 * The environment of a child process: an allow-list, so that a secret nobody thought of stays here. Kept are the
 * variables that shells, toolchains and proxies need, and all `LC_*`; names are compared without regard to case.
 * Everything else is dropped: keys, tokens, passwords, `AWS_*`, `SKILLMINT_*`, and what makes a program load code
 * (`NODE_OPTIONS`, `LD_*`, `DYLD_*`, `BASH_ENV`). Names and passwords in proxy addresses are cut out.
 * `extra` wins over everything and is not filtered: the caller answers for it.
 */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    if (value === undefined || !(KEPT.has(upper) || upper.startsWith('LC_'))) continue;
    result[name] = PROXIES.has(upper) ? withoutUserInfo(value) : value;
  }
  return { ...result, ...extra };
}

function withoutUserInfo(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, '$1');
}
