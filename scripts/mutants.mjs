import ts from 'typescript';

const TESTS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.InstanceOfKeyword,
  ts.SyntaxKind.InKeyword,
]);
const JOINS = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '&&'],
  [ts.SyntaxKind.BarBarToken, '||'],
]);

/** Stands at the head of every source: which mutants are passed, and which one holds. */
const HEAD =
  'globalThis.__mutant ??= Number(process.env.MUTANT ?? 0); ' +
  'const __m = (id) => (globalThis.__reached?.add(id), globalThis.__mutant === id); ';

/**
 * Every check of a source, taken out one at a time: the condition of an `if`, of `a ? b : c` and of what is returned
 * becomes false and true, an operand of `&&` and `||` is dropped, a `throw` and a call for its own sake are removed.
 * The answer is the list of them, numbered from `first`, and one source with all of them in it, each behind a switch.
 * `change` names a mutant, whatever line it moves to.
 */
export function mutantsOf(file, text, first) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const mutants = [];
  const seen = new Map();
  const words = (node) => node.getText(source).replace(/\s+/g, ' ');

  const add = (node, what) => {
    const times = (seen.get(what) ?? 0) + 1;
    seen.set(what, times);
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const id = first + mutants.length;
    mutants.push({ id, file, line: line + 1, change: times > 1 ? `${what} (${times})` : what });
    return `__m(${id})`;
  };

  /** The node as it is, with what is inside it switched. */
  const within = (node) => {
    let at = node.getStart(source);
    let out = '';
    ts.forEachChild(node, (child) => {
      out += text.slice(at, child.getStart(source)) + switched(child);
      at = child.getEnd();
    });
    return out + text.slice(at, node.getEnd());
  };

  const always = (node, where) => {
    const [no, yes] = ['false', 'true'].map((value) => add(node, `${where} ${words(node)} → ${value}`));
    return (inner) => `(${no} ? false : ${yes} ? true : (${inner}))`;
  };

  const chain = (node) => {
    const { kind } = node.operatorToken;
    const operands = operandsOf(node, kind);
    const cases = operands.map((one) => add(node, `${words(node)} without ${words(one)}`));
    const parts = operands.map((one) => switched(one));
    const joined = (some) => `(${some.join(` ${JOINS.get(kind)} `)})`;
    const without = cases.map((on, index) => `${on} ? ${joined(parts.toSpliced(index, 1))} : `);
    return `(${without.join('')}${joined(parts)})`;
  };

  const switched = (node) => {
    if (isDebug(node)) return text.slice(node.getStart(source), node.getEnd());
    const where = whereTested(node);
    const wrap = where && always(node, where);
    if (isRemovable(node)) {
      const on = add(node, `${words(node)} → gone`);
      return `{ if (!${on}) ${within(node)} }`;
    }
    const inner = isChainTop(node) ? chain(node) : within(node);
    return wrap ? wrap(inner) : inner;
  };

  const changed = HEAD + text.slice(0, source.getStart(source)) + within(source);
  const fault = ts.createSourceFile(file, changed, ts.ScriptTarget.ES2022).parseDiagnostics[0];
  if (fault) throw new Error(`${file} with its mutants does not parse: ${JSON.stringify(fault.messageText)}`);
  return { mutants, source: changed };
}

const inside = (node) => (ts.isParenthesizedExpression(node) ? inside(node.expression) : node);

/** In which place a condition stands, if this is one. */
function whereTested(node) {
  const { parent } = node;
  if (ts.isIfStatement(parent) && parent.expression === node) return 'if';
  if (ts.isConditionalExpression(parent) && parent.condition === node) return '?';
  const returned = ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node);
  return returned && isTest(inside(node)) ? 'return' : undefined;
}

function isTest(node) {
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  return ts.isBinaryExpression(node) && TESTS.has(node.operatorToken.kind);
}

const isJoin = (node) => ts.isBinaryExpression(node) && JOINS.has(node.operatorToken.kind);

/** The whole of `a && b && c`, unless its last part is a literal: then it shapes data and checks nothing. */
function isChainTop(node) {
  if (!isJoin(node) || isShape(inside(node.right))) return false;
  const { parent } = node;
  return !(isJoin(parent) && parent.operatorToken.kind === node.operatorToken.kind);
}

const isShape = (node) =>
  ts.isObjectLiteralExpression(node) || ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function operandsOf(node, kind) {
  if (!isJoin(node) || node.operatorToken.kind !== kind) return [node];
  return [...operandsOf(node.left, kind), ...operandsOf(node.right, kind)];
}

function isRemovable(node) {
  if (ts.isThrowStatement(node)) return !isWholeBranch(node);
  if (!ts.isExpressionStatement(node) || isDebug(node.expression)) return false;
  return isCall(node.expression) && !isWholeBranch(node);
}

/** `if (x) throw y;` without its throw is the `if` that never holds, which is there already. */
function isWholeBranch(node) {
  const { parent } = node;
  const branch = ts.isBlock(parent) && parent.statements.length === 1 ? parent.parent : parent;
  return ts.isIfStatement(branch) && branch.elseStatement === undefined;
}

/** Prints for developers and checks nothing. */
function isDebug(node) {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'debug';
}

function isCall(node) {
  if (ts.isAwaitExpression(node) || ts.isVoidExpression(node)) return isCall(node.expression);
  return ts.isCallExpression(node);
}
