// Shows the main job without a key: the demo model loads the bundled skill, runs its script and delivers a report.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SANDBOX_MISSING = 78;
const PROMPT = 'Use the orders-report skill: turn demo-output/orders.csv into a report in demo-output/report';

const root = path.resolve(import.meta.dirname, '..');
const SCRIPT = path.join(root, 'skills', 'orders-report', 'scripts', 'report.mjs');
const output = path.join(root, 'demo-output');
const report = path.join(output, 'report', 'report.html');

/** Runs the program and resolves to its exit status; a signal that ends it counts as 1. */
function run(home, sandbox) {
  const args = ['dist/cli.js', 'run', '--model', 'demo/demo', '--permission-mode', 'acceptEdits', '--allow', `Bash(node ${SCRIPT}:*)`, '--sandbox', sandbox, '--verbose', PROMPT];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, SKILLMINT_HOME: home } });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function main() {
  if (!fs.existsSync(path.join(root, 'dist', 'cli.js'))) {
    process.stderr.write('demo: dist/cli.js is missing; run npm run build first\n');
    return 1;
  }
  fs.rmSync(output, { recursive: true, force: true });
  fs.mkdirSync(output, { recursive: true });
  fs.copyFileSync(path.join(root, 'skills', 'orders-report', 'assets', 'orders.csv'), path.join(output, 'orders.csv'));
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-demo-'));
  try {
    let code = await run(home, 'required');
    if (code === SANDBOX_MISSING) {
      process.stdout.write('not isolated: no sandbox on this machine, running only the bundled skill\n');
      code = await run(home, 'off');
    }
    if (code !== 0) {
      process.stderr.write(`demo: the program ended with ${code}\n`);
      return code;
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
  if (!fs.existsSync(report)) {
    process.stderr.write(`demo: the program ended well, but there is no report at ${report}\n`);
    return 1;
  }
  process.stdout.write(`\nThe report: ${report}\n`);
  return 0;
}

// Ctrl+C reaches the program as well; this one stays to remove its temporary folder.
process.on('SIGINT', () => undefined);
process.exitCode = await main();
