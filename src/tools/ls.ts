import type { FolderEntry } from '../host/host.ts';
import { failed, ok } from '../protocol/tool.ts';
import type { Tool } from './define.ts';
import { missing, pathNeed, withTarget } from './file-access.ts';
import { optionalText, textsArgument } from './input.ts';
import description from './ls.md';

const MOST_ENTRIES = 1_000;

/** Lists folders. */
export function lsTool(): Tool {
  return {
    spec: {
      name: 'LS',
      description,
      input_schema: {
        type: 'object',
        properties: { path: { type: 'string' }, ignore: { type: 'array', items: { type: 'string' }, description: 'globs' } },
      },
    },
    readOnly: true,
    aliases: ['list_directory', 'list_dir'],
    argumentAliases: { dir_path: 'path', directory: 'path', dir: 'path', base_dir: 'path' },
    needs: (input, { cwd }) => pathNeed('read', optionalText(input, 'path') ?? '.', cwd),
    run: (input, context) =>
      withTarget({ given: optionalText(input, 'path') ?? '.', context }, async (target) => {
        if (target.stat === undefined) return missing(target, context.host.files);
        if (target.stat.kind !== 'directory') return failed(`${target.shown} is not a folder. Use Read for files.`);
        const ignored = await nameFilter(textsArgument(input, 'ignore'));
        const names = (await target.file.list()).filter((entry) => !ignored(entry.name)).map(nameOf).sort();
        if (names.length === 0) return ok('(the folder is empty)');
        const more = names.length > MOST_ENTRIES ? [`[${names.length - MOST_ENTRIES} more entries: use Glob]`] : [];
        return ok([...names.slice(0, MOST_ENTRIES), ...more].join('\n'));
      }),
  };
}

function nameOf(entry: FolderEntry): string {
  if (entry.kind === 'directory') return `${entry.name}/`;
  return entry.kind === 'symlink' ? `${entry.name}@` : entry.name;
}

async function nameFilter(globs: readonly string[]): Promise<(name: string) => boolean> {
  if (globs.length === 0) return () => false;
  const { default: picomatch } = await import('picomatch');
  const matches = globs.map((glob) => picomatch(glob.replace(/^\*\*\//, '').replace(/\/(\*\*)?$/, ''), { dot: true }));
  return (name) => matches.some((match) => match(name));
}
