import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CommandExit, Host } from '../../src/host/host.ts';
import { localHost } from '../../src/host/local-host.ts';
import { bubblewrapMechanism } from '../../src/sandbox/bubblewrap-mechanism.ts';
import { guardKeeper } from '../../src/sandbox/guards.ts';
import { sandboxPolicy, type PolicyInput } from '../../src/sandbox/policy.ts';
import { sandboxed, type SandboxedHostOptions } from '../../src/sandbox/sandboxed-host.ts';
import { surveySandbox } from '../../src/sandbox/survey.ts';

export const BWRAP = '/usr/bin/bwrap';

/** With CI=true a missing bubblewrap is a failure, not a reason to skip. */
export const withoutBubblewrap = !fs.existsSync(BWRAP) && process.env['CI'] !== 'true';

/** A machine of its own below a temporary folder: home with secrets, data folder, skill, another user's workspace. */
export interface Place {
  readonly base: string;
  readonly ws: string;
  readonly home: string;
  readonly data: string;
  readonly skill: string;
  readonly env: Readonly<Record<string, string>>;
  readonly host: (input?: Partial<PolicyInput>, more?: Partial<SandboxedHostOptions>) => Host;
  readonly run: (script: string, options?: RunOptions) => Promise<Ran>;
  readonly policyInput: PolicyInput;
}

export interface RunOptions {
  readonly input?: Partial<PolicyInput>;
  readonly cwd?: string;
  readonly argv?: readonly string[];
  readonly sandbox?: Partial<SandboxedHostOptions>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ran extends CommandExit {
  readonly out: string;
  readonly err: string;
}

const tool = (name: string): string => (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('.pyenv')).find((folder) => fs.existsSync(path.join(folder, name))) ?? '/usr/bin';

export function makePlace(layout: { readonly wsBelow?: 'base' | 'home' } = {}): Place {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-test-')));
  const home = path.join(base, 'home');
  const ws = path.join(layout.wsBelow === 'home' ? home : base, 'ws');
  const data = path.join(home, '.skillmint');
  const skill = path.join(data, 'skills/pdf');
  for (const folder of [ws, `${ws}/.git/hooks`, skill, `${home}/.ssh`, `${home}/.aws`, `${home}/.mozilla/firefox`, `${base}/ws-evil`, `${base}/other-user`]) fs.mkdirSync(folder, { recursive: true });
  for (const file of [`${ws}/.git/config`, `${skill}/SKILL.md`, `${home}/.ssh/id_rsa`, `${home}/.aws/credentials`, `${home}/.mozilla/firefox/logins.json`, `${data}/skillmint.db`, `${data}/config.json`, `${base}/ws-evil/key`, `${base}/other-user/key`]) fs.writeFileSync(file, `text of ${file}\n`);
  fs.writeFileSync(`${ws}/.git/config`, '');
  fs.writeFileSync(`${home}/.gitconfig`, '[user]\n\tname = Ada Example\n\temail = ada@example.com\n[credential]\n\thelper = store --file=/secret\n[url "https://token-xyz@github.com/"]\n\tinsteadOf = gh:\n');
  const env = { PATH: [...new Set([path.dirname(process.execPath), tool('python3'), '/usr/bin', '/bin'])].join(':'), HOME: home, LANG: 'C.UTF-8' };
  const survey = surveySandbox({ env, home, folder: path.join(data, 'sandbox'), execPath: process.execPath });
  const policyInput: PolicyInput = { roots: [ws], readable: [skill], home, dataFolder: data, ...survey };
  const mechanism = bubblewrapMechanism({ bubblewrap: BWRAP, guards: guardKeeper(path.join(data, 'sandbox/roots')), forbidNested: true });
  const host = (input: Partial<PolicyInput> = {}, more: Partial<SandboxedHostOptions> = {}): Host =>
    sandboxed(localHost(), { mechanism, policy: () => sandboxPolicy({ ...policyInput, ...input }), ...more });
  const run = async (script: string, { input, cwd = ws, argv, env: more, sandbox }: RunOptions = {}): Promise<Ran> => {
    const text = { stdout: '', stderr: '' };
    const exit = await host(input, sandbox).start({
      argv: argv ?? ['/bin/sh', '-c', script], cwd, env: { ...env, ...more },
      onOutput: (chunk, stream) => { text[stream] += new TextDecoder().decode(chunk); },
    }).exit;
    return { ...exit, out: text.stdout, err: text.stderr };
  };
  return { base, ws, home, data, skill, env, host, run, policyInput };
}

/** Every file below a folder with its content, to compare before and after. */
export function snapshot(folder: string): Readonly<Record<string, string>> {
  const entries = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(entries.map((name) => {
    const stat = fs.lstatSync(path.join(folder, name));
    return [name, stat.isFile() ? fs.readFileSync(path.join(folder, name), 'utf8') : stat.isDirectory() ? 'folder' : 'other'];
  }));
}
