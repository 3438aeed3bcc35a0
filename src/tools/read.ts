import type { ExactFile, FileStat } from '../host/host.ts';
import type { JsonObject } from '../protocol/json.ts';
import { failed, ok } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import type { Tool, ToolContext } from './define.ts';
import { missing, noteStamp, pathNeed, withTarget } from './file-access.ts';
import type { Target } from './file-access.ts';
import { fileKind, SAMPLE_BYTES, sizeText } from './file-kind.ts';
import type { FileLedger } from './file-ledger.ts';
import { numberArgument, textArgument } from './input.ts';
import { parseNotebook, renderNotebook } from './notebook.ts';
import { readLines } from './read-lines.ts';
import type { LinesRead } from './read-lines.ts';
import { readMedia } from './read-media.ts';
import description from './read.md';

const MOST_LINES = 2_000;
/** Below the limit of tool results, so that a long file is cut between lines and not in the middle. */
const MOST_CHARACTERS = 28_000;
const MOST_NOTEBOOK_BYTES = 50_000_000;
const MOST_UTF16_BYTES = 20_000_000;

/** Reads files. */
export function readTool(ledger: FileLedger): Tool {
  return {
    spec: {
      name: 'Read',
      description,
      input_schema: {
        type: 'object',
        properties: {
          file_path: { type: 'string' },
          offset: { type: 'integer', minimum: 0, description: 'first line' },
          limit: { type: 'integer', minimum: 1, description: 'lines' },
        },
        required: ['file_path'],
      },
    },
    readOnly: true,
    aliases: ['read_file', 'FileRead'],
    argumentAliases: { path: 'file_path', filePath: 'file_path', filename: 'file_path', absolute_path: 'file_path', target_file: 'file_path' },
    needs: (input, { cwd }) => pathNeed('read', textArgument(input, 'file_path'), cwd),
    run: (input, context) =>
      withTarget({ given: textArgument(input, 'file_path'), context, ledger }, async (target) => {
        const { stat } = target;
        if (stat === undefined) return missing(target, context.host.files);
        if (stat.kind === 'directory') return failed(`${target.shown} is a folder, not a file. Use LS to list it.`);
        if (stat.kind !== 'file') return failed(`${target.shown} is a device, pipe or socket; only files can be read.`);
        return readFile({ input, context, target, stat, stamps: noteStamp({ context, ledger, target, stat }) });
      }),
  };
}

interface Reading {
  readonly input: JsonObject;
  readonly context: ToolContext;
  readonly target: Target;
  readonly stat: FileStat;
  readonly stamps: JsonObject;
}

async function readFile(reading: Reading): Promise<ToolOutcome> {
  const { context, target, stat, stamps } = reading;
  const sample = await target.file.readRange(0, SAMPLE_BYTES);
  const details = { stamps };
  if (sample.length === 0) return ok('(the file is empty)', { details });
  const file = fileKind(sample);
  const extension = /\.(png|jpe?g|gif|webp|pdf|ipynb)$/i.exec(target.path)?.[1]?.toLowerCase();
  if (file.kind === 'image' || file.kind === 'pdf') {
    return readMedia({ shown: target.shown, size: stat.size, mediaType: file.kind === 'pdf' ? 'application/pdf' : file.mediaType, read: () => target.file.read(), details }, context.accepts);
  }
  if (extension !== undefined && extension !== 'ipynb') {
    const content = file.kind === 'binary' ? `binary data (${file.name})` : 'text';
    return failed(`${target.shown} has the name of a ${extension.toUpperCase()} file, but its content is ${content}.`);
  }
  if (file.kind === 'binary') {
    return failed(`${target.shown} is a binary file (${file.name}, ${sizeText(stat.size)}) and cannot be read as text. Look into it with a command that knows the format.`);
  }
  if (extension === 'ipynb') return readNotebook(reading);
  if (file.encoding !== 'utf-8') return readUtf16(reading, file.encoding);
  return readText(reading, sample.length < SAMPLE_BYTES ? inMemory(sample) : target.file);
}

async function readText({ input, target, stamps }: Reading, file: Pick<ExactFile, 'readRange'>): Promise<ToolOutcome> {
  const first = Math.max(1, numberArgument(input, 'offset', 1));
  const count = Math.min(numberArgument(input, 'limit', MOST_LINES), MOST_LINES);
  const read = await readLines(file, { first, count, budget: MOST_CHARACTERS });
  return present(read, target, stamps);
}

/** Bytes that have been read already. */
function inMemory(bytes: Uint8Array): Pick<ExactFile, 'readRange'> {
  return { readRange: async (offset, length) => bytes.subarray(offset, offset + length) };
}

function present(read: LinesRead, target: Target, stamps: JsonObject): ToolOutcome {
  if (read.lines.length === 0 && read.end === 'file') {
    return failed(`${target.shown} has ${read.seen} ${read.seen === 1 ? 'line' : 'lines'}; offset ${read.first} lies behind its end.`);
  }
  const numbered = read.lines.map((line, index) => `${String(read.first + index).padStart(6)}\t${line}`);
  const notes = [
    ...(read.end === 'more' ? [`[The file goes on: next offset ${read.first + read.lines.length}]`] : []),
    ...(read.end === 'endless line' ? [`[Line ${read.seen} is longer than 16 MiB: use a command to look into it]`] : []),
    ...(read.invalid ? ['[Bytes that are not valid UTF-8 are shown as \uFFFD; do not edit this file as text]'] : []),
  ];
  return ok([...numbered, ...notes].join('\n'), { details: { stamps } });
}

async function readNotebook({ target, stat, stamps }: Reading): Promise<ToolOutcome> {
  if (stat.size > MOST_NOTEBOOK_BYTES) return failed(`${target.shown} is a notebook of ${sizeText(stat.size)}; at most ${sizeText(MOST_NOTEBOOK_BYTES)} can be read.`);
  const notebook = parseNotebook(Buffer.from(await target.file.read()).toString());
  if ('problem' in notebook) return failed(`${target.shown} ${notebook.problem}.`);
  return ok(renderNotebook(notebook), { details: { stamps } });
}

async function readUtf16(reading: Reading, encoding: 'utf-16le' | 'utf-16be'): Promise<ToolOutcome> {
  const { target, stat } = reading;
  if (stat.size > MOST_UTF16_BYTES) return failed(`${target.shown} is UTF-16 text of ${sizeText(stat.size)}; at most ${sizeText(MOST_UTF16_BYTES)} can be read. Convert it to UTF-8 first.`);
  const text = new TextDecoder(encoding).decode(await target.file.read());
  const outcome = await readText(reading, inMemory(Buffer.from(text)));
  return { ...outcome, content: [...outcome.content, { type: 'text', text: `\n[The file is ${encoding.toUpperCase()}, not UTF-8]` }] };
}
