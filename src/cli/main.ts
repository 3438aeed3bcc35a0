#!/usr/bin/env node
import fs from 'node:fs';

declare const __VERSION__: string;

const args = process.argv.slice(2);
const [first, second, ...flags] = args;

function damaged(error: unknown): void {
  process.stderr.write(`skillmint: the installation is damaged: ${String(error)}. Install it again.\n`);
  process.exitCode = 1;
}

function printVersion(): void {
  const text = `${__VERSION__}\n`;
  try {
    fs.writeSync(1, text);
  } catch {
    // A pipe that is full, or that nobody reads: what knows about those is loaded only for them.
    import('./print-now.ts').then(({ printNow }) => printNow(text), damaged);
  }
}

// Other programs ask for these often, so they do without the parser of the command line, and the first without anything.
if (args.length === 1 && (first === '--version' || first === '-V')) {
  printVersion();
} else if (first === 'skills' && second === 'list' && flags.every((flag) => flag === '--json' || flag === '--all')) {
  import('./listings/list-skills.ts').then(({ listSkillsAndExit }) => listSkillsAndExit({ json: flags.includes('--json') }), damaged);
} else {
  import('./program.ts').then(({ main }) => main(args), damaged);
}
