// Builds dist/: the program as CommonJS, which Node starts faster than modules; the library as modules, with types.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { build as buildPages } from 'vite';
import { lateTables } from './lib/late-tables.mjs';
import { lexiconFile } from './lib/lexicon-file.mjs';
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
  // The program imports some modules lazily that the library needs anyway.
  checks: { ineffectiveDynamicImport: false },
  transform: { define: { __VERSION__: JSON.stringify(manifest.version) } },
};

/** Modules that `start` cannot do without: it and all that it imports, statically, directly or not. */
function neededBy(start, graph, needed = new Set()) {
  if (needed.has(start)) return needed;
  needed.add(start);
  for (const id of graph.getModuleInfo(start)?.importedIds ?? []) neededBy(id, graph, needed);
  return needed;
}

/** Puts what a command takes before its first answer into one chunk: each further file would be felt at the start. */
function startChunk(name, file) {
  const start = path.resolve(file);
  let needed;
  return { debugName: name, name: (id, graph) => ((needed ??= neededBy(start, graph)).has(id) ? name : null) };
}

/** Puts what a start shares with others into a chunk of its own, so that neither loads what only the other one needs. */
function commonChunk(name, file, others) {
  const start = path.resolve(file);
  let sets;
  return {
    debugName: name,
    name(id, graph) {
      sets ??= { own: neededBy(start, graph), shared: others.reduce((needed, other) => neededBy(path.resolve(other), graph, needed), new Set()) };
      return sets.own.has(id) && sets.shared.has(id) ? name : null;
    },
  };
}

/**
 * Takes Node's own modules as they are. The bundler would copy each into an object with a getter for every name, in every
 * chunk, to be ready for modules that pretend to come from another format; these do not.
 */
function plainBuiltins() {
  return {
    name: 'plain-builtins',
    renderChunk: (code) => code.replace(/^(node_\w+) = [\w.]+\(\1, 1\);$/gm, '$1 = { __proto__: $1, default: $1 };'),
  };
}

/** Drops the loading of the bundler's helpers where none is used: for the program's first file it would be a second one. */
function unusedHelpers() {
  return {
    name: 'unused-helpers',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/^(#!.*\n)?require\("[^"]*rolldown-runtime[^"]*"\);/, '$1');
      }
    },
  };
}

/** Bundles one half; resolves to its chunks. */
async function write({ input, plugins = [], ...options }, output) {
  const bundle = await rolldown({ ...common, ...options, input, plugins: [...common.plugins, ...plugins] });
  const written = await bundle.write({ entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', ...output });
  await bundle.close();
  const type = output.format === 'cjs' ? 'commonjs' : 'module';
  fs.writeFileSync(`${output.dir}/package.json`, `${JSON.stringify({ type })}\n`);
  return written.output;
}

fs.rmSync('dist', { recursive: true, force: true });
const { output: pages } = await buildPages({ root: 'web', logLevel: 'warn' });
const program = await write(
  { input: { cli: 'src/cli/main.ts' }, plugins: [plainBuiltins(), unusedHelpers(), lateTables()], preserveEntrySignatures: false },
  // Code that was compiled before cannot load modules by `import()`.
  { dir: 'dist', format: 'cjs', minify: true, dynamicImportInCjs: false, codeSplitting: { includeDependenciesRecursively: false, groups: [startChunk('listing', 'src/cli/listings/list-skills.ts'), startChunk('program', 'src/cli/program.ts'), startChunk('trial', 'src/runtime/permissions/sandbox-trial.ts'), commonChunk('common', 'src/cli/run/run-command.ts', ['src/cli/interactive/interactive-command.ts', 'src/cli/interactive/screen/open-screen.ts']), startChunk('turn', 'src/cli/run/run-command.ts')] } },
);
const library = await write({ input: { index: 'src/index.ts', client: 'src/client/index.ts', testing: 'src/testing/index.ts', 'ai-sdk': 'src/adapters/ai-sdk.ts', openai: 'src/adapters/openai.ts', anthropic: 'src/adapters/anthropic.ts' } }, { dir: 'dist/lib', format: 'esm' });
// For judging the guards with data sets of dangerous inputs from outside.
await write({ input: { 'security-adapter': 'src/testing/security-adapter.ts' } }, { dir: 'dist/testing', format: 'esm' });

fs.chmodSync('dist/cli.js', 0o755);
fs.writeFileSync('dist/settings.schema.json', `${JSON.stringify(await settingsSchema(), null, 2)}\n`);
fs.copyFileSync(await lexiconFile(process.cwd()), 'dist/lexicon.txt');
fs.writeFileSync('dist/THIRD-PARTY.txt', thirdPartyNotices([...program, ...library, ...pages]));
if (!process.argv.includes('--no-types')) execFileSync('npx', ['tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' });
