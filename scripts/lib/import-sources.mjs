import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const MODULES = path.resolve(import.meta.dirname, '../../node_modules');

/** Imports TypeScript files of src/ as they are, without a build; resolves to their modules in the given order. */
export async function importSources(files) {
  const bundle = await rolldown({ input: Object.fromEntries(files.map((file, i) => [`entry-${i}`, file])), platform: 'node', checks: { ineffectiveDynamicImport: false } });
  const folder = fs.mkdtempSync(path.join(MODULES, '.sources-'));
  // Not before the end: what they import lazily lies there, too.
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  return Promise.all(files.map((_, i) => import(pathToFileURL(path.join(folder, `entry-${i}.mjs`)).href)));
}
