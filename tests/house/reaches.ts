import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What changes a desktop: members of the drivers' contract, and of whatever stands before them in the runtime. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Driver: ['act', 'changeWindow', 'input', 'clipboard', 'resume'],
  InputDevice: ['move', 'click', 'drag', 'wheel', 'press', 'type'],
  ArbitratedInput: ['move', 'click', 'drag', 'wheel', 'press', 'type'],
  Clipboard: ['write'],
  PrivateDesktop: ['launch'],
  Desktop: ['launch'],
  CallView: ['launch'],
};
const NAMES = new Set(Object.values(MEMBERS).flat());
/** Created or called at one place each: code that has one of these can act. */
const VALUES = new Set(['Actor', 'ArbitratedInput', 'attemptUntilDone', 'runAction']);

/** One place in the sources that reaches what changes a desktop: `Driver.act`, `new Actor`. */
export interface Reach {
  file: string;
  what: string;
}

/** By types and not by names, so that another name for a driver is no way around it. `planted`: sources beside the real ones. */
export function reaches(planted: Readonly<Record<string, string>>): Reach[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: object;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const extra = new Map(Object.entries(planted).map(([file, text]) => [join(ROOT, file), text]));
  const host = ts.createCompilerHost({ ...options, incremental: false, noEmit: true });
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.readFile = (path) => extra.get(path) ?? readFile(path);
  host.fileExists = (path) => extra.has(path) || fileExists(path);
  const program = ts.createProgram(
    [...fileNames, ...extra.keys()],
    { ...options, incremental: false, noEmit: true },
    host,
  );
  const checker = program.getTypeChecker();
  const found = new Map<string, Reach>();
  for (const source of program.getSourceFiles()) {
    const file = relative(ROOT, source.fileName);
    if (!file.startsWith('src/') || file.startsWith('src/drivers/')) continue;
    const visit = (node: ts.Node): void => {
      for (const what of reachedBy(node, checker)) found.set(`${file} ${what}`, { file, what });
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found.values()].sort((a, b) => (`${a.file} ${a.what}` < `${b.file} ${b.what}` ? -1 : 1));
}

function reachedBy(node: ts.Node, checker: ts.TypeChecker): string[] {
  if (ts.isPropertyAccessExpression(node) && NAMES.has(node.name.text)) {
    return membersOf(checker.getTypeAtLocation(node.expression), node.name.text, checker);
  }
  if (ts.isElementAccessExpression(node)) {
    const { argumentExpression: name } = node;
    if (ts.isStringLiteralLike(name) && !NAMES.has(name.text)) return [];
    const type = checker.getTypeAtLocation(node.expression);
    // A computed name may be any: it counts when there is something to reach.
    const names = ts.isStringLiteralLike(name) ? [name.text] : ts.isNumericLiteral(name) ? [] : [...NAMES];
    return names.flatMap((one) => membersOf(type, one, checker));
  }
  if (ts.isObjectBindingPattern(node)) {
    const type = checker.getTypeAtLocation(node);
    const names = node.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
    return names.filter((name) => NAMES.has(name)).flatMap((name) => membersOf(type, name, checker));
  }
  if (ts.isIdentifier(node) && VALUES.has(node.text) && isUsed(node)) {
    return [ts.isNewExpression(node.parent) ? `new ${node.text}` : node.text];
  }
  return [];
}

/** `Driver.act` when the member of this type, or of one that it may be, is one of those above. */
function membersOf(type: ts.Type, name: string, checker: ts.TypeChecker): string[] {
  const parts = type.isUnionOrIntersection() ? type.types : [type];
  return parts.flatMap((part) => {
    const symbol = checker.getNonNullableType(part).getProperty(name);
    const owners = (symbol?.declarations ?? []).flatMap((declaration) => {
      const { parent } = declaration;
      const isOwner = ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent);
      if (!isOwner || !parent.name) return [];
      const place = relative(ROOT, dirname(declaration.getSourceFile().fileName));
      if (ts.isInterfaceDeclaration(parent) || !place.startsWith('src/drivers')) return [parent.name.text];
      // A driver's own class stands for what it implements.
      const clauses = (parent.heritageClauses ?? []).flatMap(({ types }) =>
        types.map(({ expression }) => expression.getText()),
      );
      return [...clauses, parent.name.text];
    });
    return owners.filter((owner) => MEMBERS[owner]?.includes(name)).map((owner) => `${owner}.${name}`);
  });
}

/** Not where it is declared, imported, exported or only a type. */
function isUsed({ parent }: ts.Identifier): boolean {
  const named = [ts.isImportSpecifier, ts.isExportSpecifier, ts.isClassDeclaration, ts.isFunctionDeclaration];
  return !named.some((is) => is(parent)) && !ts.isTypeNode(parent) && !ts.isQualifiedName(parent);
}
