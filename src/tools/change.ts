import type { JsonObject } from '../protocol/json.ts';
import { ok } from '../protocol/tool.ts';
import type { BeforeChange } from '../protocol/rewind.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import type { ToolContext } from './define.ts';
import { noteStamp } from './file-access.ts';
import type { Target } from './file-access.ts';
import type { FileLedger } from './file-ledger.ts';

const MOST_DIFF = 20_000;
/** Larger files are not read only to be able to take a change back. */
const MOST_KEPT_BYTES = 10_000_000;
/** Two texts that differ in more lines than this get no exact diff: it would take seconds. */
const MOST_EDITS = 4_000;

/** Writes the new text of a file and tells what changed: counts for the model, the diff for faces. */
export async function applyChange(options: {
  readonly context: ToolContext;
  readonly ledger: FileLedger;
  readonly target: Target;
  readonly before: string | undefined;
  readonly after: string;
  /** What is written where it differs from `after`, for example with a byte order mark. */
  readonly data?: string;
  readonly say: (counts: string) => string;
}): Promise<ToolOutcome> {
  const { context, ledger, target, before, after } = options;
  const was = await keptBefore(context, target);
  await target.file.write(options.data ?? after);
  const stat = await target.file.stat();
  // Somebody may have removed it meanwhile.
  const stamps = stat ? noteStamp({ context, ledger, target, stat }) : {};
  const { diff, added, removed } = await describeChange(target.shown, before ?? '', after);
  const details: JsonObject = { path: target.path, real_path: target.realPath, diff, added, removed, stamps, before: { ...was } };
  return ok(options.say(`+${added} -${removed}`), { details });
}

/** What the file is before the change, so that it can be taken back. */
async function keptBefore(context: ToolContext, { stat, file }: Target): Promise<BeforeChange> {
  if (stat === undefined) return { state: 'none' };
  if (stat.size > MOST_KEPT_BYTES) return { state: 'lost' };
  const digest = await context.keepBefore(await file.read());
  return digest === undefined ? { state: 'lost' } : { state: 'kept', digest, mode: stat.mode };
}

interface Change {
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

async function describeChange(path: string, before: string, after: string): Promise<Change> {
  if (before === after) return { diff: '', added: 0, removed: 0 };
  if (before === '') return wholeFile(path, after, '+');
  if (after === '') return wholeFile(path, before, '-');
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import('diff');
  const patch = structuredPatch(path, path, before, after, undefined, undefined, { context: 3, maxEditLength: MOST_EDITS });
  if (patch === undefined) {
    return { diff: `--- ${path}\n+++ ${path}\n(the file was rewritten: too many changes to show)`, added: countLines(after), removed: countLines(before) };
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  return { diff: cutDiff(formatPatch(patch, FILE_HEADERS_ONLY)), added: count('+'), removed: count('-') };
}

function wholeFile(path: string, text: string, mark: '+' | '-'): Change {
  const lines = text.replace(/\n$/, '').split('\n');
  const range = mark === '+' ? `-0,0 +1,${lines.length}` : `-1,${lines.length} +0,0`;
  const diff = cutDiff([`--- ${path}`, `+++ ${path}`, `@@ ${range} @@`, ...lines.map((line) => `${mark}${line}`)].join('\n'));
  return { diff, added: mark === '+' ? lines.length : 0, removed: mark === '-' ? lines.length : 0 };
}

function countLines(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

function cutDiff(diff: string): string {
  if (diff.length <= MOST_DIFF) return diff;
  const kept = diff.slice(0, diff.lastIndexOf('\n', MOST_DIFF - 60));
  return `${kept.length > 0 ? kept : diff.slice(0, MOST_DIFF / 2)}\n... ${countLines(diff) - countLines(kept)} more lines`;
}
