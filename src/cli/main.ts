#!/usr/bin/env node
declare const __VERSION__: string;

// Answered without loading anything: other programs ask for it often.
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${__VERSION__}\n`);
} else {
  import('./program.ts').then(
    ({ main }) => main(args),
    (error: unknown) => {
      process.stderr.write(`skillmint: the installation is damaged: ${String(error)}. Install it again.\n`);
      process.exitCode = 1;
    },
  );
}
