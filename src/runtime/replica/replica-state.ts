import fs from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../host/local-write.ts';
import { SkillmintError, messageOf, systemCode } from '../../protocol/errors.ts';
import { isJsonObject, parseJson, type Json } from '../../protocol/json.ts';
import type { SharedFile } from './shared-files.ts';

const VERSION = 1;

/** A file that was the same here and in the database. */
export interface KnownFile {
  readonly digest: string;
  readonly mode: number;
  /** See `markOf`. */
  readonly mark: string;
}

/** What a data folder was like when it last was the same as in the database. */
export interface ReplicaState {
  /** Identity of the folder in the database; empty where there was no contact yet. */
  readonly id: string;
  readonly revision: number;
  readonly files: ReadonlyMap<string, KnownFile>;
  /** Texts of small files whose entries are merged when two workers change them at once. */
  readonly texts: ReadonlyMap<string, string>;
  /** What was about to be taken from the database when this was written: whoever was ended meanwhile may have it already, or have part of it. */
  readonly taking: readonly SharedFile[];
}

/** One that has had no contact yet. */
export const NO_CONTACT: ReplicaState = { id: '', revision: 0, files: new Map(), texts: new Map(), taking: [] };

/** Reads it; one that is damaged is as if there had been no contact: files of the same content are found to be the same. @throws SkillmintError io */
export function readState(file: string): ReplicaState {
  try {
    return stateOf(parseJson(fs.readFileSync(file, 'utf8'))) ?? NO_CONTACT;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return NO_CONTACT;
    throw new SkillmintError('io', `What this worker has of the shared files cannot be read from ${file}: ${messageOf(error)}.`, { cause: error });
  }
}

/** Replaces it in one step. */
export async function writeState(file: string, { id, revision, files, texts, taking }: ReplicaState): Promise<void> {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const known = Object.fromEntries([...files].map(([at, { digest, mode, mark }]) => [at, [digest, mode, mark]]));
  await writeWhole(file, JSON.stringify({ version: VERSION, id, revision, files: known, texts: Object.fromEntries(texts), taking }), { mode: 0o600, shown: file, follow: false });
}

function stateOf(value: Json | undefined): ReplicaState | undefined {
  if (!isJsonObject(value) || value['version'] !== VERSION) return undefined;
  const { id, revision, files, texts, taking } = value;
  if (typeof id !== 'string' || typeof revision !== 'number' || !isJsonObject(files) || !isJsonObject(texts)) return undefined;
  const known = Object.entries(files).flatMap(([at, file]): [string, KnownFile][] => {
    const [digest, mode, mark] = Array.isArray(file) ? file : [];
    return typeof digest === 'string' && typeof mode === 'number' && typeof mark === 'string' ? [[at, { digest, mode, mark }]] : [];
  });
  return { id, revision, files: new Map(known), texts: new Map(Object.entries(texts).flatMap(([at, text]) => (typeof text === 'string' ? [[at, text]] : []))), taking: Array.isArray(taking) ? taking.flatMap(sharedFileOf) : [] };
}

function sharedFileOf(value: Json): readonly SharedFile[] {
  if (!isJsonObject(value)) return [];
  const { path: at, digest, mode, revision } = value;
  if (typeof at !== 'string' || (digest !== undefined && typeof digest !== 'string') || typeof mode !== 'number' || typeof revision !== 'number') return [];
  return [{ path: at, digest, mode, revision }];
}
