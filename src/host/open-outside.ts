import { spawn } from 'node:child_process';
import { SkillmintError } from '../protocol/errors.ts';

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/** Shows a folder in the file manager of this machine, or an address in its browser. It is one argument, never part of a command. @throws SkillmintError spawn_failed where there is none */
export function openOutside(target: string): Promise<void> {
  const program = PROGRAMS[process.platform] ?? 'xdg-open';
  return new Promise((resolve, reject) => {
    const child = spawn(program, [target], { stdio: 'ignore', detached: true });
    child.once('error', (error) => reject(new SkillmintError('spawn_failed', `${target} cannot be shown: ${program} cannot be started on this machine.`, { cause: error })));
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
