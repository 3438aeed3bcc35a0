import { spawn } from 'node:child_process';
import fs from 'node:fs';

const SAMPLE_MS = 4;
const KB_PER_MB = 1024;

export function median(values) {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}

/** Largest resident size so far of a process in MB; undefined where the system does not tell (only Linux does), or when it is gone. */
function peakOf(pid) {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Number(line[1]) / KB_PER_MB : undefined;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}

/** Runs Node with these arguments to its end. Rejects when it does not end with status 0. */
export function runNode(args, { env, cwd }) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    let peakMb;
    const sampler = setInterval(() => { peakMb = peakOf(child.pid) ?? peakMb; }, SAMPLE_MS);
    for (const name of ['stdout', 'stderr']) child[name].on('data', (data) => { output[name] += data; });
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(sampler);
      const wallMs = performance.now() - started;
      if (code !== 0) reject(new Error(`node ${args.join(' ')} ended with ${code}: ${output.stderr.trim() || output.stdout.trim()}`));
      else resolve({ started, wallMs, peakMb, stdout: output.stdout });
    });
  });
}
