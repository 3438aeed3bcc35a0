// Builds dist/: the program as CommonJS, which Node starts faster than modules; the library as modules, with types.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { rolldown } from 'rolldown';
import { markdownText } from './lib/markdown-text.mjs';
import { settingsSchema } from './lib/settings-schema.mjs';
import { thirdPartyNotices } from './lib/third-party.mjs';

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));

const common = {
  platform: 'node',
  external: [/^node:/, ...Object.keys(manifest.dependencies)],
  plugins: [markdownText()],
  // Its main file requires others by computed names, which no bundler can follow.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  transform: { define: { __VERSION__: JSON.stringify(manifest.version) } },
};

/** Bundles one half; resolves to its chunks. */
async function write(input, output) {
  const bundle = await rolldown({ ...common, input });
  const written = await bundle.write({ entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', ...output });
  await bundle.close();
  const type = output.format === 'cjs' ? 'commonjs' : 'module';
  fs.writeFileSync(`${output.dir}/package.json`, `${JSON.stringify({ type })}\n`);
  return written.output;
}

fs.rmSync('dist', { recursive: true, force: true });
const program = await write({ cli: 'src/cli/main.ts' }, { dir: 'dist', format: 'cjs', minify: true });
const library = await write({ index: 'src/index.ts', testing: 'src/testing/index.ts' }, { dir: 'dist/lib', format: 'esm' });

fs.chmodSync('dist/cli.js', 0o755);
fs.writeFileSync('dist/settings.schema.json', `${JSON.stringify(await settingsSchema(), null, 2)}\n`);
fs.writeFileSync('dist/THIRD-PARTY.txt', thirdPartyNotices([...program, ...library]));
if (!process.argv.includes('--no-types')) execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
