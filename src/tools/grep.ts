import type { GrepQuery } from '../host/host.ts';
import type { JsonObject } from '../protocol/json.ts';
import { failed, ok } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import type { Tool, ToolContext } from './define.ts';
import { missing, pathNeed, withTarget } from './file-access.ts';
import type { Target } from './file-access.ts';
import description from './grep.md';
import { flagArgument, numberArgument, optionalText, textArgument } from './input.ts';

const USUAL_LINES = 250;
const MOST_LINES = 5_000;

/** Searches in files. */
export function grepTool(): Tool {
  return {
    spec: {
      name: 'Grep',
      description,
      input_schema: {
        type: 'object',
        properties: {
          pattern: { type: 'string' },
          path: { type: 'string' },
          glob: { type: 'string', description: 'e.g. "*.{ts,tsx}"' },
          type: { type: 'string', description: 'e.g. "py"' },
          output_mode: { enum: ['files_with_matches', 'content', 'count'] },
          '-A': { type: 'integer', minimum: 0 },
          '-B': { type: 'integer', minimum: 0 },
          '-C': { type: 'integer', minimum: 0 },
          '-n': { type: 'boolean', description: 'default true' },
          '-i': { type: 'boolean' },
          multiline: { type: 'boolean' },
          head_limit: { type: 'integer', minimum: 0 },
        },
        required: ['pattern'],
      },
    },
    readOnly: true,
    aliases: ['grep', 'search_files', 'VectorSearch'],
    argumentAliases: {
      base_dir: 'path',
      dir: 'path',
      directory: 'path',
      dir_path: 'path',
      query: 'pattern',
      regex: 'pattern',
      include: 'glob',
      file_pattern: 'glob',
      case_insensitive: '-i',
      ignore_case: '-i',
      context: '-C',
      before: '-B',
      after: '-A',
      line_numbers: '-n',
      limit: 'head_limit',
      max_results: 'head_limit',
      k: 'head_limit',
    },
    needs: (input, { cwd }) => pathNeed('read', optionalText(input, 'path') ?? '.', cwd),
    run: (input, context) =>
      withTarget({ given: optionalText(input, 'path') ?? '.', context }, async (target) => {
        if (target.stat === undefined) return missing(target, context.host.files);
        if (target.stat.kind === 'other') return failed(`${target.shown} is a device, pipe or socket; only files and folders can be searched.`);
        return search(toQuery(input, target), { target, context });
      }),
  };
}

function toQuery(input: JsonObject, target: Target): GrepQuery {
  const mode = optionalText(input, 'output_mode');
  const glob = optionalText(input, 'glob');
  const type = optionalText(input, 'type');
  const around = numberArgument(input, '-C', 0);
  return {
    pattern: textArgument(input, 'pattern'),
    path: target.realPath,
    ...(glob === undefined || glob === '' ? {} : { glob }),
    ...(type === undefined || type === '' ? {} : { type }),
    ignoreCase: flagArgument(input, '-i'),
    multiline: flagArgument(input, 'multiline'),
    mode: mode === 'content' || mode === 'count' ? mode : 'files_with_matches',
    before: numberArgument(input, '-B', around),
    after: numberArgument(input, '-A', around),
    lineNumbers: input['-n'] !== false,
    limit: Math.min(numberArgument(input, 'head_limit', 0) || USUAL_LINES, MOST_LINES),
  };
}

async function search(query: GrepQuery, on: { readonly target: Target; readonly context: ToolContext }): Promise<ToolOutcome> {
  const found = await on.context.host.search.grep(query, on.context.signal);
  if (found.error !== undefined) return failed(`The search failed: ${found.error}`);
  const notes = [
    ...(found.truncated ? [`[Only the first ${query.limit} lines: narrow the search or raise head_limit]`] : []),
    ...(found.warning === undefined ? [] : [`[${found.warning}]`]),
  ];
  if (found.lines.length === 0) return ok(['No matches.', ...notes].join('\n'));
  const shorten = pathShortener(query, on);
  return ok([...found.lines.map(shorten), ...notes].join('\n'));
}

/** Lines begin with the real path; shown is the path as the call meant it, and none where one file was searched for content. */
function pathShortener(query: GrepQuery, { target, context }: { readonly target: Target; readonly context: ToolContext }): (line: string) => string {
  const real = target.realPath;
  if (target.stat?.kind === 'file' && query.mode === 'content') return (line) => (line.startsWith(real) ? line.slice(real.length + 1) : line);
  const separator = target.path.includes('\\') ? '\\' : '/';
  const home = context.cwd.endsWith(separator) ? context.cwd : `${context.cwd}${separator}`;
  return (line) => {
    if (!line.startsWith(real)) return line;
    const given = target.path + line.slice(real.length);
    return given.startsWith(home) ? given.slice(home.length) : given;
  };
}
