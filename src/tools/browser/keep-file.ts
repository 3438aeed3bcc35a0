import type { PermissionNeed } from '../../protocol/permission.ts';
import { failed, ok, type ToolOutcome } from '../../protocol/tool.ts';
import type { BrowserResult, ToolContext } from '../define.ts';
import { pathNeed, withTarget } from '../file-access.ts';
import { fileKind, SAMPLE_BYTES, sizeText } from '../file-kind.ts';

/** What writing the file of a call needs; nothing where it names none. */
export function fileNeed(path: string | undefined, cwd: string): readonly PermissionNeed[] {
  return path === undefined ? [] : pathNeed('edit', path, cwd);
}

/** Writes what the browser gave to a file. One that exists is replaced only where a picture replaces a picture. */
export function keepFile(path: string, { bytes }: NonNullable<BrowserResult['file']>, { context, replaces }: { readonly context: ToolContext; readonly replaces: 'nothing' | 'pictures' }): Promise<ToolOutcome> {
  return withTarget({ given: path, context }, async (target) => {
    if (target.stat) {
      const isPicture = target.stat.kind === 'file' && fileKind((await target.file.read()).subarray(0, SAMPLE_BYTES)).kind === 'image';
      if (replaces === 'nothing' || !isPicture) return failed(`${target.shown} exists already. Give another name.`);
    }
    await target.file.write(bytes);
    return ok(`Wrote ${target.shown} (${sizeText(bytes.length)}).`, { details: { path: target.realPath, bytes: bytes.length } });
  });
}
