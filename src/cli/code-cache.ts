// Loads before everything else of the program, so it imports nothing of it.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';

/** The chunks of the built program; their names change with their content. */
const CHUNKS = import.meta.dirname;
/** Compiled code fits one version of Node alone. */
const FOLDER = path.join(CHUNKS, '..', 'compiled', `${process.version}-${process.arch}`);
const SUM_BYTES = 20;

/** Compiled code of chunks, by their names. */
type Kept = ReadonlyMap<string, Buffer>;

/**
 * Takes the compiled code of the chunks that a command loads from beside them, and leaves it there when a run has ended
 * well: whoever can change it could change the chunks as well. Where that cannot be written the program starts without.
 */
export function keepCompiledCode(command: string): void {
  const file = path.join(FOLDER, command);
  const kept = readKept(file);
  const loaded = new Map<string, vm.Script>();
  let isStale = false;
  const { extensions } = createRequire(import.meta.filename);
  const loadOther = extensions['.js'];
  extensions['.js'] = (module, name) => {
    if (path.dirname(name) !== CHUNKS) return loadOther?.(module, name);
    const chunk = path.basename(name);
    const cachedData = kept.get(chunk);
    const source = `(function (exports, require, module, __filename, __dirname) { ${fs.readFileSync(name, 'utf8')}\n})`;
    const script = new vm.Script(source, { filename: name, ...(cachedData ? { cachedData } : {}) });
    loaded.set(chunk, script);
    isStale ||= cachedData === undefined || script.cachedDataRejected === true;
    const run: (this: unknown, ...given: readonly unknown[]) => void = script.runInThisContext();
    run.call(module.exports, module.exports, module.require.bind(module), module, name, CHUNKS);
  };
  process.once('exit', (code) => {
    if (code === 0 && isStale) writeKept(file, () => new Map([...kept, ...[...loaded].map(([chunk, script]) => [chunk, script.createCachedData()] as const)]));
  });
}

/** Whether compiled code can be kept; a sentence for people. */
export function describeCodeCache(): { readonly isKept: boolean; readonly text: string } {
  const nearest = [FOLDER, path.join(FOLDER, '..'), path.join(FOLDER, '../..')].find((folder) => fs.existsSync(folder)) ?? CHUNKS;
  try {
    fs.accessSync(nearest, fs.constants.W_OK);
    return { isKept: true, text: `compiled code is kept in ${FOLDER}` };
  } catch (error) {
    return { isKept: false, text: `each start compiles anew, since ${nearest} cannot be written (${String(error)})` };
  }
}

/** A file is a checksum, since Node trusts what it is given, a line with the names and sizes of the chunks, and their code. */
function readKept(file: string): Kept {
  const bytes = readOrNothing(file);
  const content = bytes.subarray(SUM_BYTES);
  if (!sumOf(content).equals(bytes.subarray(0, SUM_BYTES))) return new Map();
  const lineEnd = content.indexOf('\n');
  const sizes: readonly (readonly [string, number])[] = JSON.parse(content.toString('utf8', 0, lineEnd));
  let at = lineEnd + 1;
  return new Map(sizes.map(([chunk, size]) => [chunk, content.subarray(at, (at += size))]));
}

/** A program that ends is not held up by what only speeds up the next one: `doctor` says where this cannot be written. */
function writeKept(file: string, compiled: () => Kept): void {
  const half = `${file}.${process.pid}.new`;
  try {
    fs.mkdirSync(FOLDER, { recursive: true });
    fs.accessSync(FOLDER, fs.constants.W_OK);
    const parts = [...compiled()];
    const content = Buffer.concat([Buffer.from(`${JSON.stringify(parts.map(([chunk, code]) => [chunk, code.length]))}\n`), ...parts.map(([, code]) => code)]);
    fs.writeFileSync(half, Buffer.concat([sumOf(content), content]));
    fs.renameSync(half, file);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    if (fs.existsSync(half)) fs.rmSync(half);
  }
}

/** What cannot be read, for whatever reason, is compiled anew; an empty file has no sum that fits. */
function readOrNothing(file: string): Buffer {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return Buffer.alloc(0);
  }
}

function sumOf(content: Buffer): Buffer {
  return createHash('sha1').update(content).digest();
}
