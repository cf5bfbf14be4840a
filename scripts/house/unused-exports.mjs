// Exports that no other file of the product uses: node scripts/house/unused-exports.mjs [FOLDER]
//
// An export is used when package.json publishes it or when another file imports it, directly or through an index that
// passes it on. Tests count, but not for code that nothing else runs: an export that only tests import and that its own
// file does not use is dead, unless its comment has the tag `@internal`. The tag `@public` marks a type that the
// published types name although nothing imports it.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../run.mjs';
import { filesIn, isSource, report, sourceFiles } from './sources.mjs';

const OTHERS = ['src', 'tests', 'bench', 'scripts', 'examples'];

/** Returns `{ findings, summary }`; a finding is `{ file, line, text }`. */
export function unusedExports(root = ROOT) {
  const sources = sourceFiles(root);
  const others = OTHERS.flatMap((folder) => filesIn(root, folder, /\.(ts|mjs|js)$/)).filter((file) => !isSource(file));
  const modules = new Map([...sources, ...others].map((file) => [file, readModule(root, file)]));
  const byProduct = new Set();
  const byOthers = new Set();
  for (const file of entriesOf(root)) use(modules, file, '*', byProduct);
  for (const file of sources) for (const { from, name } of modules.get(file).uses) use(modules, from, name, byProduct);
  for (const file of others) for (const { from, name } of modules.get(file).uses) use(modules, from, name, byOthers);

  const findings = [];
  let count = 0;
  for (const file of sources) {
    for (const [name, { line, dead, named }] of modules.get(file).exports) {
      count++;
      const key = `${file}#${name}`;
      if (byProduct.has(key) || named) continue;
      if (!byOthers.has(key)) findings.push({ file, line, text: `${name} is exported, but no other file uses it` });
      else if (dead)
        findings.push({ file, line, text: `${name} is used by tests only: delete it or mark it @internal` });
    }
  }
  return { findings, summary: `${count} exports` };
}

/** The source files that package.json publishes. */
function entriesOf(root) {
  const { exports = {}, bin = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const paths = [...Object.values(exports).map((entry) => entry.default ?? ''), ...Object.values(bin)];
  return paths.map((path) => normalize(path).replace(/^dist\/(.*)\.js$/, 'src/$1.ts'));
}

/** Marks an export, and the export that it passes on. `*` marks all of the file. */
function use(modules, file, name, used) {
  const module = modules.get(file);
  if (!module) return;
  if (name === '*') {
    if (used.has(`${file}#*`)) return;
    used.add(`${file}#*`);
    for (const each of module.exports.keys()) use(modules, file, each, used);
    for (const star of module.stars) use(modules, star, '*', used);
    return;
  }
  const key = `${file}#${name}`;
  if (used.has(key)) return;
  const found = module.exports.get(name);
  if (found) used.add(key);
  if (found?.from) use(modules, found.from, found.name, used);
  if (!found) for (const star of module.stars) use(modules, star, name, used);
}

/** What a file exports, which files it passes on whole, and what it uses of others. */
function readModule(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const module = { exports: new Map(), stars: [], uses: [] };
  const target = (specifier) =>
    ts.isStringLiteralLike(specifier) && specifier.text.startsWith('.')
      ? normalize(join(dirname(file), specifier.text)).replace(/\.js$/, '.ts')
      : undefined;
  const add = (name, node, more = {}) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    const tagged = (tag) => comments.some(({ pos, end }) => text.slice(pos, end).includes(tag));
    const dead = !more?.from && !tagged('@internal') && text.match(new RegExp(`\\b${name}\\b`, 'g')).length < 2;
    module.exports.set(name, { line, dead, named: tagged('@public'), ...more });
  };

  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) readExport(statement, module, target, add);
    else if (ts.isImportDeclaration(statement)) readImport(statement, module, target);
    else if (ts.canHaveModifiers(statement) && isExported(statement)) {
      for (const name of declaredNames(statement)) add(name, statement);
    }
  }
  // import('…') as an expression or as a type: all of the file, unless one name is taken from it on the spot.
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const from = node.arguments[0] && target(node.arguments[0]);
      if (from) for (const name of namesTaken(node)) module.uses.push({ from, name });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const from = target(node.argument.literal);
      const first = node.qualifier && leftmost(node.qualifier);
      if (from) module.uses.push({ from, name: first ?? '*' });
    }
    ts.forEachChild(node, visit);
  };
  if (/\bimport\(/.test(text)) visit(source);
  return module;
}

function readExport(statement, module, target, add) {
  const from = statement.moduleSpecifier && target(statement.moduleSpecifier);
  if (!statement.exportClause) {
    if (from) module.stars.push(from);
  } else if (ts.isNamespaceExport(statement.exportClause)) {
    add(statement.exportClause.name.text, statement);
    if (from) module.uses.push({ from, name: '*' });
  } else {
    for (const element of statement.exportClause.elements) {
      add(element.name.text, element, from && { from, name: (element.propertyName ?? element.name).text });
    }
  }
}

function readImport(statement, module, target) {
  const from = target(statement.moduleSpecifier);
  const clause = statement.importClause;
  if (!from || !clause) return;
  if (clause.name) module.uses.push({ from, name: 'default' });
  if (!clause.namedBindings) return;
  if (ts.isNamespaceImport(clause.namedBindings)) module.uses.push({ from, name: '*' });
  else
    for (const { propertyName, name } of clause.namedBindings.elements)
      module.uses.push({ from, name: (propertyName ?? name).text });
}

/** `const { a, b } = await import(…)` and `(await import(…)).a` take names; anything else takes all. */
function namesTaken(call) {
  let node = call.parent;
  while (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent;
  if (ts.isPropertyAccessExpression(node) && node.name.text !== 'then') return [node.name.text];
  const pattern = ts.isVariableDeclaration(node) ? node.name : thenPattern(node);
  if (!pattern || !ts.isObjectBindingPattern(pattern)) return ['*'];
  return pattern.elements.map(({ dotDotDotToken, propertyName, name }) =>
    dotDotDotToken ? '*' : (propertyName ?? name).text,
  );
}

/** The parameter of `import(…).then(({ a }) => …)`. */
function thenPattern(node) {
  const [callback] = ts.isCallExpression(node.parent) ? node.parent.arguments : [];
  return ts.isPropertyAccessExpression(node) && callback && ts.isArrowFunction(callback)
    ? callback.parameters[0]?.name
    : undefined;
}

function leftmost(name) {
  return ts.isIdentifier(name) ? name.text : leftmost(name.left);
}

function isExported(statement) {
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function declaredNames(statement) {
  if (!ts.isVariableStatement(statement)) return statement.name ? [statement.name.text] : ['default'];
  return statement.declarationList.declarations.flatMap(({ name }) =>
    ts.isIdentifier(name) ? [name.text] : name.elements.map((element) => element.name.text),
  );
}

/** Returns `{ problems, summary }`. */
export function checkExports(root = ROOT) {
  const { findings, summary } = unusedExports(root);
  return { problems: findings.map(({ file, line, text }) => `${file}:${line} ${text}`), summary };
}

if (process.argv[1] === import.meta.filename) report(checkExports(process.argv[2]));
