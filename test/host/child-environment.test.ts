import { expect, test } from 'vitest';
import { childEnvironment } from '../../src/host/child-environment.ts';

test('secrets and what loads code stay behind, toolchains go along', () => {
  const secrets = ['OPENAI_API_KEY', 'GITHUB_TOKEN', 'NPM_TOKEN', 'DB_PASSWORD', 'MY_SECRET', 'GOOGLE_APPLICATION_CREDENTIALS', 'AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'SKILLMINT_HOME', 'SSH_AUTH_SOCK', 'NODE_OPTIONS', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'BASH_ENV', 'ENV', 'DATABASE_URL', 'PYTHONSTARTUP', 'GIT_ASKPASS', 'UNKNOWN'];
  const kept = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'USER', 'SHELL', 'NVM_DIR', 'CARGO_HOME', 'GOPATH', 'PYENV_ROOT', 'JAVA_HOME', 'VIRTUAL_ENV', 'NO_PROXY', 'https_proxy', 'Path', 'SystemRoot'];
  const env = Object.fromEntries([...secrets, ...kept].map((name) => [name, `value of ${name}`]));
  expect(Object.keys(childEnvironment(env)).toSorted()).toEqual(kept.toSorted());
});

test('proxies lose names and passwords, extras are given as they are', () => {
  const env = { HTTPS_PROXY: 'http://me:pa%40ss@proxy.test:8080', http_proxy: 'me:p@proxy.test:1', ALL_PROXY: 'socks5://proxy.test:1080', GONE: undefined };
  expect(childEnvironment(env, { MY_TOKEN: 'granted' })).toEqual({
    HTTPS_PROXY: 'http://proxy.test:8080',
    http_proxy: 'proxy.test:1',
    ALL_PROXY: 'socks5://proxy.test:1080',
    MY_TOKEN: 'granted',
  });
});
