// Bundles the program into dist/ and writes the type declarations beside it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { rolldown } from 'rolldown';
import { markdownText } from './lib/markdown-text.mjs';
import { settingsSchema } from './lib/settings-schema.mjs';
import { thirdPartyNotices } from './lib/third-party.mjs';

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const external = [/^node:/, ...Object.keys(manifest.dependencies)];

fs.rmSync('dist', { recursive: true, force: true });
const bundle = await rolldown({
  input: { cli: 'src/cli/main.ts', index: 'src/index.ts', testing: 'src/testing/index.ts' },
  platform: 'node',
  external,
  plugins: [markdownText()],
  // Its main file requires others by computed names, which no bundler can follow.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  transform: { define: { __VERSION__: JSON.stringify(manifest.version) } },
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
});
await bundle.close();

fs.chmodSync('dist/cli.js', 0o755);
fs.writeFileSync('dist/settings.schema.json', `${JSON.stringify(await settingsSchema(), null, 2)}\n`);
fs.writeFileSync('dist/THIRD-PARTY.txt', thirdPartyNotices(output));
if (!process.argv.includes('--no-types')) execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
