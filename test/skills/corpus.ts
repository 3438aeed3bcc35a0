import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

/** Folder of real skill files beside the repository, if it is there. */
export const SHARED = process.env['SKILLMINT_SHARED'] ?? path.resolve(import.meta.dirname, '../../../shared');
const CORPUS = path.join(SHARED, 'corpus', 'skills.jsonl.gz');
export const AWKWARD = path.join(SHARED, 'corpus', 'awkward');

export const hasCorpus = fs.existsSync(CORPUS);
export const hasAwkward = fs.existsSync(path.join(AWKWARD, 'index.json'));

export interface CorpusRow {
  readonly id: string;
  readonly repo: string;
  readonly path: string;
  readonly full: boolean;
  readonly frontmatter?: string;
  readonly body?: string;
}

export function corpusRows(): CorpusRow[] {
  return zlib
    .gunzipSync(fs.readFileSync(CORPUS))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): CorpusRow => JSON.parse(line));
}

export function fileText(row: CorpusRow): string {
  return row.frontmatter ? `---\n${row.frontmatter}\n---\n${row.body ?? ''}` : (row.body ?? '');
}
