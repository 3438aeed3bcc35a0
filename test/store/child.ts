import { spawn, type SpawnOptions } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

/** How a child process ended and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bundles the store for child processes of their own; `run` gives them a script that finds `openSqlite` as a global. */
export async function storeForChildren(folder: string): Promise<{ readonly script: (text: string) => string }> {
  fs.symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'), 'dir');
  const bundle = await rolldown({ input: path.resolve('src/store/sqlite.ts'), platform: 'node', external: [/^node:/] });
  await bundle.write({ file: path.join(folder, 'store.mjs'), format: 'esm' });
  await bundle.close();
  let made = 0;
  return {
    script: (text) => {
      made += 1;
      const file = path.join(folder, `child-${made}.mjs`);
      fs.writeFileSync(file, `import { openSqlite } from './store.mjs';\n${text}`);
      return file;
    },
  };
}

/** Runs a program to its end. */
export function run(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
