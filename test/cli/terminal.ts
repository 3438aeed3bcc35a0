import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { programArgv, type Place } from '../e2e/program.ts';

const TMUX = ['/usr/bin/tmux', '/usr/local/bin/tmux', '/opt/homebrew/bin/tmux'].find((file) => fs.existsSync(file));

/** With CI=true a missing tmux is a failure, not a reason to skip. */
export const withoutTmux = TMUX === undefined && process.env['CI'] !== 'true';

/** A program in a real terminal of 100 × 40. */
export interface Terminal {
  /** Types a text and the return key. */
  type(text: string): void;
  /** Presses a key by tmux's name for it, such as `C-c`. */
  press(key: string): void;
  /** Everything that is on the screen and has scrolled off it. */
  screen(): string;
  /** Resolves once the screen shows the text, counted from the last time something was typed or pressed. */
  shows(text: string | RegExp): Promise<void>;
  /** Resolves once the program waits for the next message. */
  ready(): Promise<void>;
  /** Resolves to the exit code of the program. */
  ended(): Promise<number>;
}

let made = 0;

/** Starts the program in a terminal that ends with the test. */
export function startTerminal(place: Place, args: readonly string[] = []): Terminal {
  const server = `skillmint-${process.pid}-${made++}`;
  const status = `${place.root}/status`;
  const tmux = (...parts: readonly string[]): string => execFileSync(TMUX ?? 'tmux', ['-L', server, '-f', '/dev/null', ...parts], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { ...place.env, TERM: 'xterm-256color' } });
  const env = Object.entries({ ...place.env, TERM: 'xterm-256color' }).map(([name, value]) => `${name}=${value}`);
  const command = ['env', '-i', ...env, ...programArgv(), ...args].map((word) => `'${word}'`).join(' ');
  tmux('new-session', '-d', '-x', '100', '-y', '40', '-c', place.project, `${command}; echo $? > '${status}'; cat`);
  tmux('set-option', '-g', 'history-limit', '5000');
  onTestFinished(() => {
    tmux('kill-server');
  });
  const screen = (): string => tmux('capture-pane', '-p', '-J', '-S', '-2000').replace(/[ \n]+$/, '');
  let seen = 0;
  const mark = (): void => {
    seen = screen().length;
  };
  return {
    type: (text) => {
      mark();
      tmux('send-keys', '-l', text);
      tmux('send-keys', 'Enter');
    },
    press: (key) => {
      mark();
      tmux('send-keys', key);
    },
    screen,
    shows: async (text) => {
      const wanted = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
      await expect.poll(() => screen().slice(seen), { timeout: 10_000, interval: 20, message: `the terminal shows ${String(text)}` }).toEqual(wanted);
    },
    ready: async () => {
      await expect.poll(screen, { timeout: 10_000, interval: 20, message: 'the terminal is ready' }).toMatch(/(^|\n)>$/);
    },
    ended: async () => {
      await expect.poll(() => fs.existsSync(status) && fs.readFileSync(status, 'utf8') !== '', { timeout: 10_000 }).toBe(true);
      return Number(fs.readFileSync(status, 'utf8'));
    },
  };
}
