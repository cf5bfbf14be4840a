import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENTRIES = { deskproof: 'src/index.ts', 'deskproof/vitest': 'src/vitest.ts' };

/** The library as a reader of its types sees it, with programs that use it. */
export function libraryProgram(examples: Readonly<Record<string, string>>): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const used: ts.CompilerOptions = {
    ...options,
    ...{ incremental: false, noEmit: true, tsBuildInfoFile: undefined, rootDir: ROOT },
    paths: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, [join(ROOT, file)]])),
  };
  const extra = new Map(Object.entries(examples).map(([file, text]) => [join(ROOT, file), text]));
  const host = ts.createCompilerHost(used);
  const [readFile, fileExists] = [host.readFile.bind(host), host.fileExists.bind(host)];
  host.readFile = (path) => extra.get(path) ?? readFile(path);
  host.fileExists = (path) => extra.has(path) || fileExists(path);
  return ts.createProgram([...Object.values(ENTRIES).map((file) => join(ROOT, file)), ...extra.keys()], used, host);
}

/** What the compiler says against one of the examples. */
export function complaints(program: ts.Program, file: string): string[] {
  const source = program.getSourceFile(join(ROOT, file))!;
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText, start = 0 }) => {
      const { line } = source.getLineAndCharacterOfPosition(start);
      return `line ${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    },
  );
}

export interface Named {
  name: string;
  symbol: ts.Symbol;
}

/** What an entry exports, by name. */
export function exportsOf(program: ts.Program, entry: keyof typeof ENTRIES): Named[] {
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, ENTRIES[entry]))!)!;
  return checker
    .getExportsOfModule(module)
    .map((symbol) => ({
      name: symbol.name,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const WHOLE = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;

/** A public name with its types, as users of the library depend on them. */
export function written(program: ts.Program, named: Named): string {
  return shape(program, named)
    .replaceAll(/import\("[^"]*"\)\./g, '')
    .replaceAll(/"[^"]*"(?: \| "[^"]*")+/g, inOrder);
}

/** The compiler's own order of a choice depends on what it has met before. */
const inOrder = (choice: string): string => choice.split(' | ').sort().join(' | ');

function shape(program: ts.Program, { name, symbol }: Named): string {
  const checker = program.getTypeChecker();
  const declaration = symbol.declarations![0]!;
  if (!declaration.getSourceFile().fileName.startsWith(join(ROOT, 'src'))) return `${name}: of another package`;
  if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)) {
    const heirs = (declaration.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join('');
    const members = ownMembers(symbol).flatMap((member) => member.declarations!.map((one) => `  ${faceOf(one)}`));
    return [`${ts.isClassDeclaration(declaration) ? 'class' : 'interface'} ${name}${heirs} {`, ...members, '}'].join(
      '\n',
    );
  }
  if (ts.isTypeAliasDeclaration(declaration)) {
    const { type: node } = declaration;
    // What is derived from elsewhere is shown as what it comes to, a line a member.
    const isPlain = ts.isUnionTypeNode(node) || ts.isTypeLiteralNode(node);
    if (isPlain) return `type ${name} = ${oneLine(node.getText())};`;
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    if (type.isUnion() || type.getProperties().length === 0 || type.flags & ts.TypeFlags.StringLike) {
      return `type ${name} = ${recordsInOrder(checker.typeToString(type, declaration, WHOLE))};`;
    }
    const members = type.getProperties().map((member) => {
      const of = checker.getTypeOfSymbolAtLocation(member, declaration);
      return `  ${member.name}${optional(member)}: ${checker.typeToString(of, declaration, WHOLE)};`;
    });
    return [`type ${name} = {`, ...members.sort(), '}'].join('\n');
  }
  if (ts.isFunctionDeclaration(declaration)) {
    return symbol
      .declarations!.map((one) => one as ts.FunctionDeclaration)
      .filter(({ body }, _, all) => all.length === 1 || !body)
      .map((one) => `function ${faceOf(one).replace(/^(export )?(async )?function /, '')}`)
      .join('\n');
  }
  const { type } = declaration as ts.VariableDeclaration;
  const given = type ? type.getText() : checker.typeToString(checker.getTypeOfSymbolAtLocation(symbol, declaration));
  return `const ${name}: ${oneLine(given)};`;
}

/** TypeScript does not keep the order of a union stable between two runs of other sources. */
function recordsInOrder(union: string): string {
  const parts = union.split(' | ');
  return parts.every((part) => /^RecordOf<"\w+">$/.test(part)) ? parts.sort().join(' | ') : union;
}

/** As it is declared, without its body. */
function faceOf(declaration: ts.Declaration): string {
  const body = (declaration as { body?: ts.Node }).body;
  const text = declaration.getText();
  const head = body ? text.slice(0, body.getStart() - declaration.getStart()) : text;
  return `${oneLine(head).replace(/[;,]$/, '')};`;
}

/** Without the comments in it. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/\/\*\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Members that it declares itself, without private ones. */
export function ownMembers(symbol: ts.Symbol): ts.Symbol[] {
  return [...(symbol.members?.values() ?? [])].filter(
    (member) =>
      !(member.flags & (ts.SymbolFlags.Constructor | ts.SymbolFlags.TypeParameter)) &&
      !member.declarations?.some(
        (one) => ts.getCombinedModifierFlags(one) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected),
      ),
  );
}

const optional = (symbol: ts.Symbol): string => (symbol.flags & ts.SymbolFlags.Optional ? '?' : '');
