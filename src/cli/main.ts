#!/usr/bin/env node
import { VERSION } from '../version.ts';

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const { main } = await import('./program.ts');
  await main(args);
}
