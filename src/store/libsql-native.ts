import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { SqlValue } from './database.ts';

/** A connection or statement of the native library; only its own functions can use it. */
export type NativeHandle = unknown;

/** The functions of the native library that are used here; the handle is passed as `this`. */
export interface Native {
  databaseOpen(file: string, authToken: string, cipher: string, key: string, timeoutSeconds: number, remoteKey: string): NativeHandle;
  databaseExecSync(this: NativeHandle, sql: string): void;
  databasePrepareSync(this: NativeHandle, sql: string): NativeHandle;
  databaseInTransaction(handle: NativeHandle): boolean;
  databaseClose(this: NativeHandle): void;
  statementRun(this: NativeHandle, params: readonly SqlValue[]): { readonly changes: number };
  statementGet(this: NativeHandle, params: readonly SqlValue[]): Record<string, unknown> | undefined;
  statementRowsSync(this: NativeHandle, params: readonly SqlValue[]): NativeHandle;
  rowsNext(this: NativeHandle, page: unknown[]): void;
}

const FUNCTIONS = ['databaseOpen', 'databaseExecSync', 'databasePrepareSync', 'databaseInTransaction', 'databaseClose', 'statementRun', 'statementGet', 'statementRowsSync', 'rowsNext'];

function isNative(value: unknown): value is Native {
  return typeof value === 'object' && value !== null && FUNCTIONS.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** `gnu` or `musl`, from the system's own `ldd`; undefined where that does not tell. */
function linuxLibrary(): 'gnu' | 'musl' | undefined {
  if (!fs.existsSync('/usr/bin/ldd')) return undefined;
  const text = fs.readFileSync('/usr/bin/ldd', 'latin1');
  if (text.includes('musl')) return 'musl';
  return /GLIBC|GNU C Library/.test(text) ? 'gnu' : undefined;
}

/** The platform's name in the library's packages; undefined where only its own, slow detection knows. */
function knownTarget(): string | undefined {
  const { platform, arch } = process;
  if (platform === 'darwin') return `darwin-${arch}`;
  if (platform === 'win32') return `win32-${arch}-msvc`;
  const library = platform === 'linux' && (arch === 'x64' || arch === 'arm64') ? linuxLibrary() : undefined;
  return library && `linux-${arch}-${library}`;
}

/**
 * Loads the native part of `libsql` without its JavaScript, which spends several times as long on finding out the platform
 * as on loading, and that in every start. The package's version is pinned exactly because of it. Node keeps what was loaded.
 */
export function loadNative(): Native {
  const fromLibsql = createRequire(createRequire(import.meta.url).resolve('libsql'));
  const target: unknown = knownTarget() ?? fromLibsql('@neon-rs/load').currentTarget();
  const native: unknown = fromLibsql(`@libsql/${String(target)}`);
  if (!isNative(native)) throw new Error(`@libsql/${String(target)} lacks functions that this version of skillmint uses`);
  return native;
}
