import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import type { Database } from '../../store/database.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { INDEX_MIGRATIONS } from './index-schema.ts';
import { allTags, keptTags } from './kept-tags.ts';

/** The database of the index, and what a person should know of it. */
export interface OpenedIndexFile {
  readonly db: Database;
  readonly notice: string | undefined;
  /** Other processes have it, too, and later ones. */
  readonly lasts: boolean;
  /** Closes it, and removes what must not outlive the process. */
  readonly close: () => void;
  /** Closes it, and makes an empty one in its place, since it turned out to be damaged. */
  readonly remake: (why: SkillmintError) => OpenedIndexFile;
}

/** Where the index lies. */
export interface IndexFileOptions {
  readonly file: string;
  /** Works on a copy in the temporary folder, and leaves the file alone. */
  readonly ephemeral?: boolean;
}

const TAGS_LOST = ' Tags that a model wrote for skills, if there were any, are lost.';
const SIDES = ['', '-wal', '-shm'] as const;

/**
 * Opens the index, and makes it where there is none. A damaged one is made anew, since all of it can be. One that cannot be
 * used, as that of a newer version, is left as it is, and the process has one of its own in the temporary folder.
 * Throws the errors of the store when that fails too.
 */
export function openIndexFile({ file, ephemeral = false }: IndexFileOptions): OpenedIndexFile {
  if (ephemeral) return openTemporary(undefined, { copyOf: file });
  try {
    return openLasting(file);
  } catch (error) {
    if (!(error instanceof SkillmintError)) throw error;
    return openTemporary(`Skills are searched without their index, and anew by each process: ${error.message}.`);
  }
}

function openLasting(file: string): OpenedIndexFile {
  try {
    return lasting(file, openSqlite(file, INDEX_MIGRATIONS, { isCache: true }));
  } catch (error) {
    if (!(error instanceof SkillmintError) || error.code !== 'store_corrupt') throw error;
    return lasting(file, remade(file), remadeNotice(error) + TAGS_LOST);
  }
}

function lasting(file: string, db: Database, notice?: string): OpenedIndexFile {
  return {
    db,
    notice,
    lasts: true,
    close: () => db.close(),
    remake: (why) => {
      const tags = readableTags(db);
      db.close();
      const made = remade(file);
      if (tags) keptTags(made).put(tags);
      return lasting(file, made, remadeNotice(why) + (tags ? '' : TAGS_LOST));
    },
  };
}

/** Tags cost money, so they are saved out of a damaged index. Undefined where they cannot be read. */
function readableTags(db: Database): ReadonlyMap<string, readonly string[]> | undefined {
  try {
    return allTags(db);
  } catch (error) {
    if (error instanceof SkillmintError) return undefined;
    throw error;
  }
}

function remadeNotice(why: SkillmintError): string {
  return `The skill index was damaged and is made anew, which takes a moment: ${why.message}.`;
}

function remade(file: string): Database {
  for (const side of SIDES) fs.rmSync(file + side, { force: true, recursive: true });
  return openSqlite(file, INDEX_MIGRATIONS, { isCache: true });
}

function openTemporary(notice: string | undefined, { copyOf }: { readonly copyOf?: string } = {}): OpenedIndexFile {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-index-'));
  const remove = (): void => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const file = path.join(folder, 'skills.db');
    if (copyOf !== undefined) copyAtRest(copyOf, file);
    const db = openCopy(file);
    const close = (): void => {
      db.close();
      remove();
    };
    return {
      db,
      notice,
      lasts: false,
      close,
      remake: (why) => {
        close();
        return openTemporary(remadeNotice(why));
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A copy that cannot be used is as good as none. */
function openCopy(file: string): Database {
  try {
    return openSqlite(file, INDEX_MIGRATIONS, { isCache: true });
  } catch (error) {
    if (!(error instanceof SkillmintError)) throw error;
    return remade(file);
  }
}

/** Copies the index if no process is writing to it; otherwise there is no copy. */
function copyAtRest(file: string, target: string): void {
  const before = stateOf(file);
  if (before === undefined) return;
  fs.copyFileSync(file, target, fs.constants.COPYFILE_FICLONE);
  if (stateOf(file) !== before) fs.rmSync(target);
}

/** Undefined where there is no index, or its log holds something. */
function stateOf(file: string): string | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  const log = fs.statSync(`${file}-wal`, { throwIfNoEntry: false });
  return stat?.isFile() && (log?.size ?? 0) === 0 ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : undefined;
}
