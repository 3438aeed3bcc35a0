import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { OutputFile } from '../../evaluate/judge/material.ts';

const MOST_FILES = 200;
const MOST_BYTES = 20 * 1024 * 1024;
const MOST_TEXT = 256 * 1024;

/** The folders of one run. Real paths. */
export interface RunWorkspace {
  /** The session's folder. */
  readonly work: string;
  readonly home: string;
  readonly temporary: string;
  /** Files that were made or changed since the workspace was laid out, links left out. */
  outputs(): Promise<readonly OutputFile[]>;
  close(): Promise<void>;
}

/** Lays out a fresh workspace. `prefix` names those of one evaluation. */
export async function openRunWorkspace(prefix: string, files: readonly { readonly from: string; readonly to: string }[]): Promise<RunWorkspace> {
  const root = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), prefix)));
  const close = (): Promise<void> => fs.rm(root, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  try {
    const [work, home, temporary] = [path.join(root, 'work'), path.join(root, 'home'), path.join(root, 'tmp')];
    for (const folder of [work, home, temporary]) await fs.mkdir(folder, { mode: 0o700 });
    for (const { from, to } of files) await fs.cp(from, path.join(work, to), { recursive: true });
    const before = new Map((await filesBelow(work)).map(({ relative, stamp }) => [relative, stamp]));
    return { work, home, temporary, close, outputs: async () => (await filesBelow(work)).filter(({ relative, stamp }) => before.get(relative) !== stamp).map(({ relative, bytes, text }) => ({ path: relative, bytes, ...(text === undefined ? {} : { text }) })) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Removes what a process that was killed has left of its workspaces. Only for whoever has the evaluation to themselves. */
export async function removeWorkspaces(prefix: string): Promise<void> {
  for (const name of await fs.readdir(os.tmpdir())) {
    if (name.startsWith(prefix)) await fs.rm(path.join(os.tmpdir(), name), { recursive: true, force: true });
  }
}

/** Copies outputs of a run to where they stay. */
export async function keepOutputs(work: string, outputs: readonly OutputFile[], into: string): Promise<void> {
  await fs.mkdir(into, { recursive: true, mode: 0o700 });
  for (const { path: relative } of outputs) {
    const to = path.join(into, relative);
    await fs.mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    await fs.copyFile(path.join(work, relative), to);
  }
}

interface Found {
  readonly relative: string;
  readonly bytes: number;
  readonly stamp: string;
  readonly text: string | undefined;
}

/** The first 200 files, up to 20 MiB, in the order of their paths. */
async function filesBelow(root: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  let bytes = 0;
  const entries = await fs.readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name)).sort();
  for (const file of files) {
    const { size } = await fs.lstat(file);
    if (found.length >= MOST_FILES || bytes + size > MOST_BYTES) break;
    bytes += size;
    const content = await fs.readFile(file);
    found.push({ relative: path.relative(root, file).split(path.sep).join('/'), bytes: size, stamp: createHash('sha256').update(content).digest('hex'), text: textIn(content) });
  }
  return found;
}

function textIn(content: Buffer): string | undefined {
  if (content.length > MOST_TEXT || content.includes(0)) return undefined;
  const text = content.toString('utf8');
  return text.includes('\uFFFD') ? undefined : text;
}
