import { splitGlobBase } from '../host/glob-filter.ts';
import { absolutePath, displayPath } from '../host/paths.ts';
import type { JsonObject } from '../protocol/json.ts';
import { failed, ok } from '../protocol/tool.ts';
import type { ToolOutcome } from '../protocol/tool.ts';
import type { Tool, ToolContext } from './define.ts';
import { withTarget } from './file-access.ts';
import description from './glob.md';
import { optionalText, textArgument } from './input.ts';

const MOST_FILES = 200;

/** Finds files by name. */
export function globTool(): Tool {
  return {
    spec: {
      name: 'Glob',
      description,
      input_schema: {
        type: 'object',
        properties: { pattern: { type: 'string' }, path: { type: 'string', description: 'folder' } },
        required: ['pattern'],
      },
    },
    readOnly: true,
    aliases: ['glob', 'find_files'],
    argumentAliases: { base_dir: 'path', dir: 'path', directory: 'path', cwd: 'path', dir_path: 'path', glob: 'pattern', glob_pattern: 'pattern' },
    needs: (input, { cwd }) => {
      const search = resolveSearch(input, cwd);
      return 'problem' in search ? [] : [{ action: 'read', path: search.root }];
    },
    run: (input, context) => {
      const search = resolveSearch(input, context.cwd);
      if ('problem' in search) return Promise.resolve(failed(`${search.problem}.`));
      return withTarget({ given: search.root, context }, async (target) => {
        if (target.stat === undefined) return failed(`The folder ${target.shown} does not exist.`);
        if (target.stat.kind !== 'directory') return failed(`${target.shown} is not a folder.`);
        return find({ pattern: search.pattern, root: target.realPath, given: target.path }, context);
      });
    },
  };
}

/** The folder that is really searched: a pattern may name one before its first wildcard, also outside of `path`. */
function resolveSearch(input: JsonObject, cwd: string): { readonly root: string; readonly pattern: string } | { readonly problem: string } {
  const folder = absolutePath(optionalText(input, 'path') ?? '.', cwd);
  if ('problem' in folder) return folder;
  const { base, pattern } = splitGlobBase(textArgument(input, 'pattern'));
  const root = absolutePath(base === '' ? '.' : base, folder.path);
  if ('problem' in root) return root;
  if (pattern.split('/').includes('..')) return { problem: 'the pattern holds ".." behind a wildcard: give the folder as path instead' };
  return pattern === '' ? { problem: 'the pattern is empty: give a glob such as "**/*.ts"' } : { root: root.path, pattern };
}

async function find(search: { readonly pattern: string; readonly root: string; readonly given: string }, context: ToolContext): Promise<ToolOutcome> {
  const found = await context.host.search.glob({ pattern: search.pattern, path: search.root, limit: MOST_FILES }, context.signal);
  if (found.error !== undefined) return failed(`The search failed: ${found.error}`);
  const notes = [
    ...(found.truncated ? [`[Only the first ${found.lines.length} files: narrow the pattern]`] : []),
    ...(found.warning === undefined ? [] : [`[${found.warning}]`]),
  ];
  if (found.lines.length === 0) {
    const hint = search.pattern.includes('/') || search.pattern.includes('**') ? '' : ` To search all folders below, use "**/${search.pattern}".`;
    return ok([`No files match.${hint}`, ...notes].join('\n'));
  }
  const shown = found.lines.map((file) => displayPath(search.given + file.slice(search.root.length), context.cwd));
  return ok([...shown, ...notes].join('\n'));
}
