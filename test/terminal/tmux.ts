import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { afterAll, expect, onTestFinished } from 'vitest';
import { programArgv, type Place } from '../e2e/program.ts';

const TMUX = ['/usr/bin/tmux', '/usr/local/bin/tmux', '/opt/homebrew/bin/tmux'].find((file) => fs.existsSync(file));
const WAIT = { timeout: 15_000, interval: 20 } as const;

/** How a terminal is. */
export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** In a shell that controls jobs, as a person starts it. */
  readonly inShell?: boolean;
}

/** The program in a real terminal. */
export interface ScreenOfProgram {
  /** Types a text, without the return key. */
  type(text: string): void;
  /** Presses a key by tmux's name for it. */
  press(...keys: readonly string[]): void;
  /** Types a text and sends it once the editor shows it. */
  send(text: string): Promise<void>;
  /** Pastes a text as a terminal does. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** What is seen now. */
  now(): string;
  /** The same with its colours. */
  coloured(): string;
  /** That, and all that has scrolled off. */
  all(): string;
  /** Resolves once it shows this. */
  shows(text: string | RegExp): Promise<void>;
  /** Resolves once a message can be written and nothing runs. */
  ready(): Promise<void>;
  /** Title of the window. */
  title(): string;
  /** Resolves to the exit code. */
  ended(): Promise<number>;
}

/** One server for the terminals of a test file. */
export function terminals(name: string): (place: Place, args: readonly string[], options?: TerminalOptions) => ScreenOfProgram {
  const server = `skillmint-${name}-${process.pid}`;
  const tmux = (...parts: readonly string[]): string => execFileSync(TMUX ?? 'tmux', ['-L', server, '-f', '/dev/null', ...parts], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', TERM: 'xterm-256color' } });
  let made = 0;
  afterAll(() => {
    if (made > 0) tmux('kill-server');
  });
  return (place, args, { columns = 100, rows = 40, env = {}, inShell = false } = {}) => {
    const target = `t${made++}`;
    const status = `${place.root}/status-${target}`;
    const words = ['env', '-i', ...Object.entries({ ...place.env, TERM: 'xterm-256color', ...env }).map(([key, value]) => `${key}=${value}`), ...programArgv(), ...args].map((word) => `'${word}'`).join(' ');
    // A session that stays keeps the server.
    if (made === 1) tmux('new-session', '-d', '-s', 'keeper', 'cat');
    const start = `${place.root}/start-${target}`;
    fs.writeFileSync(start, `exec ${words}`);
    const whole = inShell ? 'PS1="shell> " bash --norc --noprofile -i' : `sh '${start}'; echo $? > '${status}'; stty -a > '${status}.stty'; cat`;
    tmux('new-session', '-d', '-s', target, '-x', String(columns), '-y', String(rows), '-c', place.project, whole);
    onTestFinished(() => {
      tmux('kill-session', '-t', target);
    });
    const press = (...keys: readonly string[]): void => void tmux('send-keys', '-t', target, ...keys);
    const type = (text: string): void => void tmux('send-keys', '-t', target, '-l', text);
    if (inShell) tmux('send-keys', '-t', target, `sh '${start}'`, 'Enter');
    const now = (): string => tmux('capture-pane', '-t', target, '-p').replace(/ +$/gm, '').trimEnd();
    const all = (): string => tmux('capture-pane', '-t', target, '-p', '-J', '-S', '-3000').replace(/ +$/gm, '').trimEnd();
    const shows = async (text: string | RegExp): Promise<void> => {
      try {
        await expect.poll(all, { ...WAIT, message: `the terminal shows ${String(text)}` }).toEqual(typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text));
      } catch (error) {
        throw new Error(`The terminal does not show ${String(text)}, but:\n${all()}`, { cause: error });
      }
    };
    return {
      type, press, now, all, shows,
      async send(text) {
        type(text);
        await shows(text.slice(-20));
        press('Enter');
      },
      paste(text) {
        const file = `${place.root}/paste`;
        fs.writeFileSync(file, text);
        tmux('load-buffer', '-b', 'paste', file);
        tmux('paste-buffer', '-p', '-d', '-b', 'paste', '-t', target);
      },
      resize: (width, height) => void tmux('resize-window', '-t', target, '-x', String(width), '-y', String(height)),
      coloured: () => tmux('capture-pane', '-t', target, '-p', '-e', '-S', '-3000'),
      ready: async () => {
        let before = '';
        // Twice the same: between a message and the turn that it begins the field is empty, too.
        await expect.poll(() => {
          const [earlier, screen] = [before, now()];
          before = screen;
          return screen === earlier && !screen.includes('· Esc stops') ? screen : '';
        }, { ...WAIT, interval: 150, message: 'the program waits for a message' }).toMatch(/─\n\n─+\n[^─]*sandbox: [^─]*$/);
      },
      title: () => tmux('display-message', '-t', target, '-p', '#{pane_title}').trim(),
      ended: async () => {
        await expect.poll(() => fs.existsSync(`${status}.stty`) && fs.readFileSync(`${status}.stty`, 'utf8') !== '', WAIT).toBe(true);
        return Number(fs.readFileSync(status, 'utf8'));
      },
    };
  };
}

/** Whether the terminal of a place was given back: it shows what is typed, and takes whole lines. */
export function isRestored(place: Place): boolean {
  const file = fs.readdirSync(place.root).find((name) => name.endsWith('.stty'));
  const modes = file === undefined ? '' : fs.readFileSync(`${place.root}/${file}`, 'utf8');
  return / echo /.test(modes) && / icanon /.test(modes);
}
