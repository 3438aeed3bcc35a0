import { IMPORT_MATRIX, PACKAGE_ENTRIES, SHARED_FILES } from './import-matrix.mjs';
import { targetOf } from './source-module.mjs';

/** `src/tools/read.ts` → `tools`, whatever lies in web/src/ → `interface`; undefined for files directly in src/. */
function folderOf(file) {
  if (file.startsWith('web/src/')) return 'interface';
  const parts = file.split('/');
  return parts.length > 2 ? parts[1] : undefined;
}

function packageOf(specifier) {
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function refusal(module, specifier, matrix) {
  const folder = folderOf(module.file);
  const row = matrix[folder];
  const target = targetOf(module.file, specifier);
  if (target !== undefined) {
    if (folderOf(target) === folder || SHARED_FILES.includes(target)) return undefined;
    return row.folders.some((allowed) => target === `src/${allowed}` || target.startsWith(`src/${allowed}/`)) ? undefined : `${folder} may not import ${target}`;
  }
  if (specifier.startsWith('node:')) return row.node === true || row.node.includes(specifier) ? undefined : `${folder} may not import ${specifier}`;
  return row.packages.includes(packageOf(specifier)) ? undefined : `${folder} may not import the package ${packageOf(specifier)}`;
}

/** Imports that the matrix does not allow, and folders that it does not know. */
export function matrixOffenders(modules, matrix = IMPORT_MATRIX) {
  return modules.flatMap((module) => {
    const { file } = module;
    if (PACKAGE_ENTRIES.includes(file) && folderOf(file) === undefined) return [];
    const folder = folderOf(file);
    if (SHARED_FILES.includes(file)) return module.imports.map(({ specifier, line }) => ({ file, line, what: `is shared by all and may not import ${specifier}` }));
    if (folder === undefined) return [{ file, line: 1, what: 'lies directly in src/ and is no entry of the package' }];
    if (!Object.hasOwn(matrix, folder)) return [{ file, line: 1, what: `the folder ${folder} is not in scripts/lib/import-matrix.mjs` }];
    return module.imports.flatMap(({ specifier, line }) => {
      const what = refusal(module, specifier, matrix);
      return what === undefined ? [] : [{ file, line, what }];
    });
  });
}

/** Groups of modules that reach each other (Tarjan), each as one offender. */
export function cycleOffenders(modules) {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  const state = new Map();
  const stack = [];
  const groups = [];
  let count = 0;
  const visit = (file) => {
    const own = { index: count, low: count, open: true };
    count += 1;
    state.set(file, own);
    stack.push(file);
    for (const { specifier } of byFile.get(file).imports) {
      const target = targetOf(file, specifier);
      if (target === undefined || !byFile.has(target)) continue;
      if (!state.has(target)) own.low = Math.min(own.low, visit(target).low);
      else if (state.get(target).open) own.low = Math.min(own.low, state.get(target).index);
    }
    if (own.low === own.index) {
      const group = stack.splice(stack.indexOf(file));
      for (const member of group) state.get(member).open = false;
      const itself = byFile.get(file).imports.some(({ specifier }) => targetOf(file, specifier) === file);
      if (group.length > 1 || itself) groups.push(group);
    }
    return own;
  };
  for (const { file } of modules) if (!state.has(file)) visit(file);
  return groups.map((group) => ({ file: group[0], line: 1, what: `import cycle: ${[...group, group[0]].join(' → ')}` }));
}

/** Re-exports outside of the package's entries. */
export function barrelOffenders(modules) {
  return modules.filter(({ file }) => !PACKAGE_ENTRIES.includes(file)).flatMap(({ file, program, lineAt }) =>
    program.body
      .filter((node) => /^Export(Named|All)Declaration$/.test(node.type) && node.source)
      .map((node) => ({ file, line: lineAt(node.start), what: `re-export from ${node.source.value}` })));
}
