import fs from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** Files below a folder whose names end in one of the endings, sorted, with `/` between folders. */
export function filesBelow(folder, endings = ['.ts']) {
  if (!fs.existsSync(folder)) return [];
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && endings.some((end) => entry.name.endsWith(end)));
  return files.map((entry) => path.join(entry.parentPath, entry.name).replaceAll(path.sep, '/')).sort();
}

/** Calls `visit(node, parents)` for every node of a tree; `parents` from the root down. */
export function walk(node, visit, parents = []) {
  visit(node, parents);
  const below = [...parents, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child !== null && typeof child === 'object' && typeof child.type === 'string') walk(child, visit, below);
    }
  }
}

const IMPORTS = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'TSImportType']);

/**
 * Parses one source text. `lineAt(offset)` counts from 1; `nodes` are all nodes with their parents;
 * `imports` are all imports, type imports and `import()` included.
 */
export function parseSource(file, text) {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  const lineAt = (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const nodes = [];
  walk(program, (node, parents) => nodes.push({ node, parents }));
  const imports = nodes
    .filter(({ node }) => IMPORTS.has(node.type) && typeof node.source?.value === 'string')
    .map(({ node }) => ({ specifier: node.source.value, line: lineAt(node.start) }));
  const lines = text.endsWith('\n') ? starts.length - 1 : starts.length;
  return { file, text, lines, program, comments, nodes, imports, lineAt };
}

/** All modules of a folder. */
export function parseFolder(folder) {
  return filesBelow(folder, ['.ts', '.tsx']).filter((file) => !file.endsWith('.d.ts')).map((file) => parseSource(file, fs.readFileSync(file, 'utf8')));
}

/** The file that a relative specifier means, or undefined for packages. */
export function targetOf(file, specifier) {
  return specifier.startsWith('.') ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)) : undefined;
}
