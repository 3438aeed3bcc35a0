import { PermissionError } from '../../../protocol/errors.ts';
import type { Approve } from '../../../runtime/library/proposed-files.ts';
import { diffLines } from '../../run/plain-progress.ts';
import { oneLine, palette } from '../../terminal.ts';
import type { Face } from '../face.ts';

/** Runs work that shows the person what it would write, and asks. Undefined where they do not want it, which they are told. */
export async function approval<T>(face: Face, run: (approve: Approve) => Promise<T>): Promise<T | undefined> {
  let isRefused = false;
  try {
    return await run(async ({ what, folder, patch }) => {
      const paint = palette(process.stdout);
      await face.print(`${paint.bold(oneLine(what))} → ${oneLine(folder)}\n${patchText(patch)}\n`);
      isRefused = !(await face.confirm(`Write ${oneLine(what)} there?`));
      return !isRefused;
    });
  } catch (error) {
    if (!isRefused || !(error instanceof PermissionError)) throw error;
    await face.notice(error.message);
    return undefined;
  }
}

/** A patch of one file or several, coloured, and all of it, so that nothing can hide at the end; the names of the files stand above their lines. */
function patchText(patch: string): string {
  const paint = palette(process.stdout);
  return patch.split(/^--- .*\n(?=\+\+\+ )/m).filter((part) => part !== '').map((part) => {
    const [head = '', ...lines] = part.split('\n');
    return `  ${paint.bold(oneLine(head.replace(/^\+\+\+ /, '')))}\n${diffLines(lines.join('\n'), paint, Number.POSITIVE_INFINITY)}`;
  }).join('\n');
}
