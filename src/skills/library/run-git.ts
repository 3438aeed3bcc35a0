import fs from 'node:fs/promises';
import path from 'node:path';
import { extraCertificates } from '../../egress/extra-certificates.ts';
import { childEnvironment } from '../../host/child-environment.ts';
import { localCommands } from '../../host/local-process.ts';
import { SkillmintError } from '../../protocol/errors.ts';

/** What one git command left. */
export interface GitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The output was longer than allowed, which ended the command. */
  readonly cut: boolean;
}

/** Runs git on one private repository. */
export interface Git {
  /** Arguments after those that every call gets; `maxOutput` in bytes, 1 MiB unless told. */
  run(args: readonly string[], options?: { readonly maxOutput?: number }): Promise<GitResult>;
}

/** What git may work with. */
export interface GitOptions {
  /** An empty folder for everything: the repository, a home, certificates. */
  readonly folder: string;
  /** Where trees are written; exists. */
  readonly workTree: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The proxy that is git's only way out, with its password. */
  readonly proxy: string;
  readonly protocol: 'http' | 'https';
  readonly signal: AbortSignal;
}

const MAX_OUTPUT = 1024 * 1024;

/** Bytes as they were committed: nothing that a repository says about its files changes them or names a program. */
const ATTRIBUTES = '* -text !eol -ident !filter !working-tree-encoding\n';

/** Prepares an empty repository. Throws `not_found` when there is no git. */
export async function openGit(options: GitOptions): Promise<Git> {
  const { folder, workTree, signal } = options;
  const gitDir = path.join(folder, 'git');
  const env = await gitEnvironment(options);
  const start = localCommands();
  const fixed = ['--literal-pathspecs', `--git-dir=${gitDir}`, `--work-tree=${workTree}`, ...settings(options).flatMap((setting) => ['-c', setting])];
  const git: Git = {
    run: async (args, { maxOutput = MAX_OUTPUT } = {}) => {
      signal.throwIfAborted();
      const output = { stdout: '', stderr: '', cut: false };
      const running = start({
        argv: ['git', ...fixed, ...args],
        cwd: workTree,
        env,
        onOutput: (chunk, stream) => {
          if (output[stream].length < maxOutput) output[stream] += Buffer.from(chunk).toString('latin1');
          else if (!output.cut) {
            output.cut = true;
            stopping.push(running.stop(0));
          }
        },
      });
      const stopping: Promise<void>[] = [];
      const stop = (): void => void stopping.push(running.stop(0));
      signal.addEventListener('abort', stop, { once: true });
      const exit = await running.exit;
      signal.removeEventListener('abort', stop);
      await Promise.all(stopping);
      signal.throwIfAborted();
      if (exit.error !== undefined) throw new SkillmintError('not_found', `git cannot be started: ${exit.error}. Install git, or install the skill from an archive or a folder.`);
      return { code: exit.code, ...output };
    },
  };
  const made = await git.run(['init', '--quiet', '--template=']);
  if (made.code !== 0) throw new SkillmintError('io', `git cannot make a repository in ${folder}: ${made.stderr.trim()}`);
  await fs.mkdir(path.join(gitDir, 'info'), { recursive: true });
  await fs.writeFile(path.join(gitDir, 'info', 'attributes'), ATTRIBUTES);
  return git;
}

/** No protocol but the one asked for, no hook, no helper, no submodule; large files are streamed. */
function settings({ protocol }: GitOptions): readonly string[] {
  return [
    'protocol.allow=never', `protocol.${protocol}.allow=always`, 'http.proxyAuthMethod=basic', 'http.lowSpeedLimit=1', 'http.lowSpeedTime=30',
    'core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.askPass=', 'credential.helper=', 'core.symlinks=true', 'core.autocrlf=false',
    'core.protectHFS=true', 'core.protectNTFS=true', 'core.bigFileThreshold=1m', 'submodule.recurse=false', 'fetch.recurseSubmodules=false',
    'transfer.bundleURI=false', 'gc.auto=0', 'maintenance.auto=false', 'init.defaultBranch=main',
  ];
}

/**
 * No settings of the machine or the person, no credentials, a home of its own. Proxies stand in the environment because
 * arguments can be seen by every user of the machine.
 */
async function gitEnvironment({ folder, env, proxy }: GitOptions): Promise<Record<string, string>> {
  const home = path.join(folder, 'home');
  await fs.mkdir(home, { recursive: true });
  const kept = Object.entries(childEnvironment(env)).filter(([name]) => !/_PROXY$|^GIT_(?!SSL_CAINFO$)|^XDG_/i.test(name));
  const certificates = env['GIT_SSL_CAINFO'] === undefined ? await extraCertificates(env) : undefined;
  const file = path.join(folder, 'certificates.pem');
  if (certificates !== undefined) await fs.writeFile(file, certificates.join('\n'));
  return {
    ...Object.fromEntries(kept),
    ...(certificates === undefined ? {} : { GIT_SSL_CAINFO: file }),
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_LFS_SKIP_SMUDGE: '1',
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
  };
}
