#!/usr/bin/env node
import fs from 'node:fs';
import type * as program from './program.ts';

declare const __VERSION__: string;

const args = process.argv.slice(2);
const [first, second, ...flags] = args;

function damaged(error: unknown): void {
  process.stderr.write(`skillmint: the installation is damaged: ${String(error)}. Install it again.\n`);
  process.exitCode = 1;
}

/** What a command needs is compiled once, with its first use. */
async function loadProgram(command: string): Promise<typeof program> {
  const { keepCompiledCode } = await import('./code-cache.ts');
  keepCompiledCode(command);
  return import('./program.ts');
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
} else if (first === 'skills' && second === 'list' && !process.env['SKILLMINT_DATABASE'] && flags.every((flag) => flag === '--json' || flag === '--all')) {
  import('./listings/list-skills.ts').then(({ listSkillsAndExit }) => listSkillsAndExit({ json: flags.includes('--json') }), damaged);
} else {
  loadProgram(/^[a-z]+$/.exec(first ?? '')?.[0] ?? 'conversation').then(({ main }) => main(args), damaged);
}
