import { failed } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import { applyChange } from './change.ts';
import type { Tool, ToolContext } from './define.ts';
import { pathNeed, withTarget } from './file-access.ts';
import type { Target } from './file-access.ts';
import type { FileLedger } from './file-ledger.ts';
import { textArgument } from './input.ts';
import description from './write.md';

/** Files beyond this size are replaced without a look at what they held. */
const MOST_DIFFED_BYTES = 5_000_000;

/** Writes files. */
export function writeTool(ledger: FileLedger): Tool {
  return {
    spec: {
      name: 'Write',
      description,
      input_schema: {
        type: 'object',
        properties: { file_path: { type: 'string' }, content: { type: 'string' } },
        required: ['file_path', 'content'],
      },
    },
    readOnly: false,
    aliases: ['write_file', 'FileWrite'],
    argumentAliases: { path: 'file_path', filePath: 'file_path', filename: 'file_path', absolute_path: 'file_path', contents: 'content', text: 'content' },
    needs: (input, { cwd }) => pathNeed('edit', textArgument(input, 'file_path'), cwd),
    run: (input, context) =>
      withTarget({ given: textArgument(input, 'file_path'), context, ledger }, async (target) => {
        const refusal = refuseChange({ context, ledger, target });
        if (refusal !== undefined) return refusal;
        const content = textArgument(input, 'content');
        const before = await previousText(target);
        return applyChange({
          context,
          ledger,
          target,
          before,
          after: content,
          say: (counts) => (before === undefined ? `Created ${target.shown} (${counts} lines).` : `Wrote ${target.shown} (${counts} lines).`),
        });
      }),
  };
}

/** The failure where a file may not be changed as it stands: it is none, was never read, or changed since. */
export function refuseChange(options: { readonly context: ToolContext; readonly ledger: FileLedger; readonly target: Target }): ToolOutcome | undefined {
  const { context, ledger, target } = options;
  const { stat } = target;
  if (stat === undefined) return undefined;
  if (stat.kind === 'directory') return failed(`${target.shown} is a folder, not a file.`);
  if (stat.kind !== 'file') return failed(`${target.shown} is a device, pipe or socket; only files can be changed.`);
  const known = ledger.check(context, target.realPath, stat);
  if (known === 'unread') return failed(`${target.shown} exists but has not been read in this session. Read it first.`);
  if (known === 'stale') return failed(`${target.shown} has changed since it was read. Read it again, then repeat the change.`);
  return undefined;
}

/** For the diff only: what is no text, or very large, is shown as if it had been empty. */
async function previousText(target: Target): Promise<string | undefined> {
  if (target.stat === undefined) return undefined;
  if (target.stat.size > MOST_DIFFED_BYTES) return '';
  const text = Buffer.from(await target.file.read()).toString();
  return text.includes('\0') ? '' : text;
}
