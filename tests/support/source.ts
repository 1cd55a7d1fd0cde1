// Reads what a source file refers to, from its syntax tree: comments and strings never count, computed names do.
import ts from 'typescript';

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  path: string;
  source: string;
}

export interface Reference {
  /** How it is named: at load, at run time, or only as an address. */
  kind: 'static' | 'dynamic' | 'url';
  /** What it names; undefined when that is computed. */
  name: string | undefined;
}

export interface SourceReading {
  references: Reference[];
  exitsProcess: boolean;
  /** JavaScript's own timers, by name. A method of that name, as sockets have one, is none. */
  timers: string[];
  /** How it could reach a terminal past what makes text safe. */
  terminal: TerminalWay[];
}

export type TerminalWay = "imports Ink's Text" | 'has escape codes' | 'writes to a standard stream';

export function readSource({ path, source }: SourceFile): SourceReading {
  const reading: SourceReading = { references: [], exitsProcess: false, timers: [], terminal: [] };
  if (path.endsWith('.css')) return reading;
  const isVue = path.endsWith('.vue');
  const tree = ts.createSourceFile(
    isVue ? `${path}.ts` : path,
    isVue ? toScript(source) : source,
    ts.ScriptTarget.Latest,
  );
  const visit = (node: ts.Node): void => {
    const reference = toReference(node, tree);
    if (reference) reading.references.push(reference);
    if (isMember(node, 'process', 'exit')) reading.exitsProcess = true;
    const timer = toTimer(node);
    if (timer) reading.timers.push(timer);
    const way = toTerminalWay(node);
    if (way && !reading.terminal.includes(way)) reading.terminal.push(way);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return reading;
}

function toScript(vue: string): string {
  return [...vue.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script).join('\n');
}

function toReference(node: ts.Node, tree: ts.SourceFile): Reference | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return node.moduleSpecifier && { kind: 'static', name: readText(node.moduleSpecifier) };
  if (ts.isExternalModuleReference(node)) return { kind: 'static', name: readText(node.expression) };
  if (ts.isImportTypeNode(node))
    return {
      kind: 'static',
      name: ts.isLiteralTypeNode(node.argument) ? readText(node.argument.literal) : undefined,
    };
  if (ts.isCallExpression(node) && isLoader(node.expression))
    return { kind: 'dynamic', name: readText(node.arguments[0]) };
  if (ts.isNewExpression(node) && node.arguments?.[1]?.getText(tree) === 'import.meta.url')
    return toUrl(node);
  return undefined;
}

function isLoader(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(callee)) return callee.text === 'require';
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'resolve') return false;
  return ts.isMetaProperty(callee.expression) || isNamed(callee.expression, 'require');
}

/** A computed address is let through: it names data, as a template by its name, more often than code. */
function toUrl(node: ts.NewExpression): Reference | undefined {
  const name = readText(node.arguments?.[0]);
  return name === undefined || !isNamed(node.expression, 'URL') ? undefined : { kind: 'url', name };
}

const TIMERS = ['setTimeout', 'setInterval'];

/** Called, imported (`node:timers/promises` has the same names), or a signal's. */
function toTimer(node: ts.Node): string | undefined {
  if (isMember(node, 'AbortSignal', 'timeout')) return 'AbortSignal.timeout';
  if (ts.isImportSpecifier(node)) return TIMERS.find(name => name === (node.propertyName ?? node.name).text);
  if (!ts.isCallExpression(node)) return undefined;
  const callee = node.expression;
  return TIMERS.find(
    name => isNamed(callee, name) || isMember(callee, 'globalThis', name) || isMember(callee, 'window', name),
  );
}

const ESCAPE_CODE = new RegExp(`${'\u001b'}|\\\\u001b|\\\\x1b`, 'i');

function toTerminalWay(node: ts.Node): TerminalWay | undefined {
  if (ts.isImportDeclaration(node)) return importsInkText(node) ? "imports Ink's Text" : undefined;
  if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node))
    return ESCAPE_CODE.test(node.text) ? 'has escape codes' : undefined;
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const { expression, name } = node;
  const stream = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  const isWrite = name.text === 'write' && STREAMS.some(name => isNamed(stream, name));
  return isWrite || STREAMS.some(name => isMember(node, 'process', name))
    ? 'writes to a standard stream'
    : undefined;
}

const STREAMS = ['stdout', 'stderr'];

function importsInkText({ moduleSpecifier, importClause }: ts.ImportDeclaration): boolean {
  const named = importClause?.namedBindings;
  if (readText(moduleSpecifier) !== 'ink' || !named) return false;
  return (
    ts.isNamespaceImport(named) || named.elements.some(one => (one.propertyName ?? one.name).text === 'Text')
  );
}

function isMember(node: ts.Node, object: string, member: string): boolean {
  return ts.isPropertyAccessExpression(node) && isNamed(node.expression, object) && node.name.text === member;
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

function readText(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}
