import type { JsonObject } from '../protocol/json.ts';
import { failed } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import { applyChange } from './change.ts';
import type { Tool, ToolContext } from './define.ts';
import description from './edit.md';
import { missing, pathNeed, withTarget } from './file-access.ts';
import type { Target } from './file-access.ts';
import type { FileLedger } from './file-ledger.ts';
import { flagArgument, textArgument } from './input.ts';
import { explainMismatch } from './mismatch.ts';
import { findSpans, lineAt, replaceSpans } from './replace-text.ts';
import { loadText } from './text-file.ts';
import { refuseChange } from './write.ts';

/** Changes parts of files. */
export function editTool(ledger: FileLedger): Tool {
  return {
    spec: {
      name: 'Edit',
      description,
      input_schema: {
        type: 'object',
        properties: {
          file_path: { type: 'string' },
          old_string: { type: 'string' },
          new_string: { type: 'string' },
          replace_all: { type: 'boolean' },
        },
        required: ['file_path', 'old_string', 'new_string'],
      },
    },
    readOnly: false,
    aliases: ['edit_file', 'replace'],
    argumentAliases: {
      path: 'file_path',
      filePath: 'file_path',
      filename: 'file_path',
      absolute_path: 'file_path',
      oldString: 'old_string',
      newString: 'new_string',
      replaceAll: 'replace_all',
      old_text: 'old_string',
      new_text: 'new_string',
    },
    needs: (input, { cwd }) => pathNeed('edit', textArgument(input, 'file_path'), cwd),
    run: (input, context) =>
      withTarget({ given: textArgument(input, 'file_path'), context, ledger }, (target) => edit({ input, context, ledger, target })),
  };
}

interface Editing {
  readonly input: JsonObject;
  readonly context: ToolContext;
  readonly ledger: FileLedger;
  readonly target: Target;
}

async function edit({ input, context, ledger, target }: Editing): Promise<ToolOutcome> {
  const wanted = textArgument(input, 'old_string');
  const replacement = textArgument(input, 'new_string');
  if (wanted === replacement) return failed('old_string and new_string are the same: nothing would change.');
  const { stat, shown } = target;
  if (wanted === '') {
    if (stat !== undefined) return failed(`${shown} exists, and an empty old_string only creates new files. Give the text to replace, or use Write.`);
    return applyChange({ context, ledger, target, before: undefined, after: replacement, say: (counts) => `Created ${shown} (${counts} lines).` });
  }
  if (stat === undefined) return missing(target, context.host.files);
  const refusal = refuseChange({ context, ledger, target });
  if (refusal !== undefined) return refusal;
  const file = await loadText(target.file, stat.size);
  if ('problem' in file) return failed(`${shown} ${file.problem}.`);

  const spans = findSpans(file.text, wanted);
  const first = spans[0];
  if (first === undefined) return failed(`old_string was not found in ${shown}. ${explainMismatch(file.text, wanted)}`);
  if (spans.length > 1 && !flagArgument(input, 'replace_all')) {
    const lines = spans.slice(0, 10).map((span) => lineAt(file.text, span.start));
    return failed(
      `old_string stands ${spans.length} times in ${shown} (lines ${lines.join(', ')}${spans.length > 10 ? ', ...' : ''}). Add lines around it to make it unique, or set replace_all.`,
    );
  }
  const after = replaceSpans(file.text, spans, replacement);
  const where = spans.length === 1 ? `at line ${lineAt(file.text, first.start)}` : `in ${spans.length} places`;
  return applyChange({
    context,
    ledger,
    target,
    before: file.text,
    after,
    data: file.bom + after,
    say: (counts) => `Edited ${shown} ${where} (${counts} lines).`,
  });
}
