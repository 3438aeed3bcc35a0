import { PACKAGE_ENTRIES } from './import-matrix.mjs';

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const SUPPRESSION = /(?:ox|es)lint-disable|@ts-(?:ignore|expect-error|nocheck)/;

const found = (module, node, what) => ({ file: module.file, line: module.lineAt(node.start), what });

function matching(modules, test, what) {
  return modules.flatMap((module) => module.nodes.filter((entry) => test(entry)).map(({ node }) => found(module, node, what)));
}

/** Files over `limit` lines. */
export function longFiles(modules, limit) {
  return modules.filter(({ lines }) => lines > limit).map(({ file, lines }) => ({ file, line: limit + 1, what: `${lines} lines` }));
}

export function medianLines(modules) {
  const sorted = modules.map(({ lines }) => lines).sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}

/** Every function with its length in lines. */
export function functions(modules) {
  return modules.flatMap((module) =>
    module.nodes.filter(({ node }) => FUNCTIONS.has(node.type)).map(({ node }) => {
      const lines = module.lineAt(node.end) - module.lineAt(node.start) + 1;
      return { ...found(module, node, `${node.id?.name ?? 'function'} has ${lines} lines`), lines };
    }));
}

export function anyTypes(modules) {
  return matching(modules, ({ node }) => node.type === 'TSAnyKeyword', 'any');
}

export function emptyCatches(modules) {
  return matching(modules, ({ node }) => node.type === 'CatchClause' && node.body.body.length === 0, 'empty catch');
}

/** Comments that switch a check off. */
export function suppressions(modules) {
  return modules.flatMap((module) => module.comments.filter(({ value }) => SUPPRESSION.test(value)).map((comment) => found(module, comment, comment.value.trim().slice(0, 60))));
}

function isConst({ typeAnnotation }) {
  return typeAnnotation.type === 'TSTypeReference' && typeAnnotation.typeName.name === 'const';
}

/** Type assertions other than `as const`. */
export function assertions(modules) {
  return matching(modules, ({ node }) => (node.type === 'TSAsExpression' && !isConst(node)) || node.type === 'TSTypeAssertion', 'type assertion');
}

/** Assertions without a comment on their line or the one before. */
export function unexplainedAssertions(modules) {
  return modules.flatMap((module) => {
    const commented = new Set(module.comments.flatMap(({ start, end }) => [module.lineAt(start), module.lineAt(end), module.lineAt(end) + 1]));
    const lineOfAs = (node) => module.lineAt(node.typeAnnotation.start);
    return module.nodes
      .filter(({ node }) => (node.type === 'TSAsExpression' && !isConst(node)) || node.type === 'TSTypeAssertion')
      .filter(({ node }) => !commented.has(lineOfAs(node)) && !commented.has(module.lineAt(node.start)))
      .map(({ node }) => found(module, node, 'type assertion without a reason beside it'));
  });
}

/** `console` outside of the command line. */
export function consoleCalls(modules) {
  return matching(
    modules.filter(({ file }) => !file.startsWith('src/cli/')),
    ({ node }) => node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.object.name === 'console',
    'console outside of src/cli',
  );
}

const HOLDERS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'AbortController', 'EventEmitter']);

/** What is made empty, to be filled. */
function isHolder({ init, id }) {
  const isReadonly = id.typeAnnotation?.typeAnnotation.typeName?.name?.startsWith('Readonly') === true;
  return init?.type === 'NewExpression' && HOLDERS.has(init.callee.name) && init.arguments.length === 0 && !isReadonly;
}

/** Variables of a module that change: two runtimes in one process would share them. */
export function moduleState(modules) {
  return modules.flatMap((module) => module.program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.declare) return [];
    const changing = declaration.declarations.filter((one) => declaration.kind !== 'const' || isHolder(one));
    return changing.map((one) => found(module, one, `${one.id.name ?? 'pattern'} belongs to the module and can change`));
  }));
}

function hasDoc(module, statement) {
  return module.comments.some(({ type, value, start, end }) => type === 'Block' && value.startsWith('*') && end <= statement.start && start < statement.start && module.text.slice(end, statement.start).trim() === '');
}

function namesOf(declaration) {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id.name ?? 'pattern');
  return [declaration.id?.name ?? 'default'];
}

/** Exported declarations of a module, each with whether a documentation comment stands before it. */
function documentedExports(module) {
  const { body } = module.program;
  const listed = new Set(body.filter((node) => node.type === 'ExportNamedDeclaration' && !node.declaration && !node.source).flatMap((node) => node.specifiers.map(({ local }) => local.name)));
  const exported = body.flatMap((statement) => {
    const declaration = statement.declaration ?? statement;
    const isExport = /^Export(Named|Default)Declaration$/.test(statement.type) && statement.declaration;
    if (!isExport && !(declaration.id ?? declaration.declarations)) return [];
    return namesOf(declaration).filter((name) => isExport || listed.has(name)).map((name) => ({ name, statement, documented: hasDoc(module, statement) }));
  });
  // An overloaded function is documented at its first signature.
  const first = new Map();
  for (const one of exported) if (!first.has(one.name)) first.set(one.name, one);
  return [...first.values()];
}

/** Number of exports, and those without a documentation comment. */
export function exportDocs(modules) {
  const all = modules.filter(({ file }) => !PACKAGE_ENTRIES.includes(file)).flatMap((module) => documentedExports(module).map((one) => ({ ...one, module })));
  const missing = all.filter(({ documented }) => !documented).map(({ module, statement, name }) => found(module, statement, `${name} has no documentation comment`));
  return { count: all.length, missing };
}
