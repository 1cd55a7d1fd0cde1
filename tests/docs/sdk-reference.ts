// The reference of the SDK, out of the declarations that programs compile against and the comments on them.
import ts from 'typescript';

const FLAGS =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals;
const printer = ts.createPrinter({ removeComments: true });

export function renderSdkReference(head: string, door: string, options: ts.CompilerOptions): string {
  const program = ts.createProgram([door], options);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(door)!)!;
  const entries = checker
    .getExportsOfModule(module)
    .map(symbol => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
  return [head, ...entries.map(symbol => renderSymbol(symbol, checker))].join('\n');
}

/** Functions first, then what they take and give. */
const rank = ({ flags }: ts.Symbol) => (flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Class) ? 0 : 1);

function renderSymbol(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const code = `\`\`\`ts\n${toCode(symbol, checker)}\n\`\`\`\n`;
  return [`## ${symbol.name}`, ...(comment ? [comment] : []), code].join('\n\n');
}

function toCode(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const declaration = symbol.declarations!.at(-1)!;
  if (ts.isFunctionDeclaration(declaration)) return functionCode(symbol.name, declaration, checker);
  if (ts.isClassDeclaration(declaration)) return classCode(declaration, checker);
  if (ts.isInterfaceDeclaration(declaration)) return interfaceCode(declaration, checker);
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  if (isInferred(declaration)) return `type ${symbol.name} = ${expand(type, checker)};`;
  return declaration.getText().replace(/^export /, '');
}

/** With the members that it inherits from what is computed. */
function interfaceCode(declaration: ts.InterfaceDeclaration, checker: ts.TypeChecker): string {
  const text = declaration.getText().replace(/^export /, '');
  const bases = declaration.heritageClauses?.flatMap(({ types }) => types) ?? [];
  const computed = bases.filter(isInferred);
  if (computed.length === 0) return text;
  const inherited = computed.flatMap(base => checker.getTypeAtLocation(base).getProperties());
  const lines = inherited.flatMap(member => memberLines(member, declaration, checker));
  const own = declaration.members.map(member => `  ${member.getFullText().trim()}`);
  return `interface ${declaration.name.text} {\n${[...own, ...lines].join('\n')}\n}`;
}

function memberLines(member: ts.Symbol, at: ts.Node, checker: ts.TypeChecker): string[] {
  const source = member.declarations![0]!;
  const comment = ts.getJSDocCommentsAndTags(source).map(node => `  ${node.getText()}`);
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(member, at));
  const written = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  return [...comment, `  ${member.name}?: ${written};`];
}

/** Whether the declaration says nothing to a reader: it is computed from a schema or from a function. */
function isInferred(node: ts.Node): boolean {
  return /\bz\.|typeof /.test(node.getText());
}

function expand(type: ts.Type, checker: ts.TypeChecker): string {
  const members = type.getProperties();
  const isClient = members.length > 0 && members.every(member => isFunction(member, checker));
  if (!isClient) return print(checker.typeToTypeNode(type, undefined, FLAGS)!);
  const inOrder = members.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const lines = inOrder.map(member => `  ${nameMethod(member, checker)};`);
  return `{\n${lines.join('\n')}\n}`;
}

/** Its name and what it takes; what the shapes are is in the reference of the API. */
function nameMethod(member: ts.Symbol, checker: ts.TypeChecker): string {
  const [signature] = checker.getTypeOfSymbol(member).getCallSignatures();
  const kind = ts.SyntaxKind.FunctionType;
  const { parameters } = checker.signatureToSignatureDeclaration(signature!, kind, undefined, FLAGS)!;
  const given = parameters.map(({ name, questionToken }) => {
    const isUnnamed = !ts.isIdentifier(name) || name.text.startsWith('_');
    return `${isUnnamed ? 'options' : name.text}${questionToken ? '?' : ''}`;
  });
  return `${member.name}(${given.join(', ')})`;
}

function print(node: ts.Node): string {
  const file = ts.createSourceFile('shape.ts', '', ts.ScriptTarget.Latest);
  return printer.printNode(ts.EmitHint.Unspecified, node, file).replaceAll('    ', '  ');
}

function isFunction(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0;
}

function functionCode(name: string, declaration: ts.FunctionDeclaration, checker: ts.TypeChecker): string {
  const parameters = declaration.parameters.map(parameter => {
    const given = ts.isObjectBindingPattern(parameter.name) ? 'options' : parameter.name.getText();
    const optional = parameter.initializer || parameter.questionToken ? '?' : '';
    return `${given}${optional}: ${parameter.type?.getText() ?? 'unknown'}`;
  });
  const returned = declaration.type?.getText() ?? nameReturned(name, declaration, checker);
  return `function ${name}(${parameters.join(', ')}): ${returned};`;
}

/** A type that is computed from the function has a name of its own beside it. */
function nameReturned(name: string, declaration: ts.FunctionDeclaration, checker: ts.TypeChecker): string {
  const alias = declaration
    .getSourceFile()
    .statements.filter(ts.isTypeAliasDeclaration)
    .find(({ type }) => type.getText() === `ReturnType<typeof ${name}>`);
  if (alias) return alias.name.text;
  const signature = checker.getSignatureFromDeclaration(declaration)!;
  return print(checker.typeToTypeNode(signature.getReturnType(), undefined, FLAGS)!);
}

function classCode(declaration: ts.ClassDeclaration, checker: ts.TypeChecker): string {
  const heritage = declaration.heritageClauses?.map(clause => ` ${clause.getText()}`).join('') ?? '';
  const fields = declaration.members
    .filter(ts.isPropertyDeclaration)
    .map(member => `  ${member.name.getText()}: ${checker.typeToString(checker.getTypeAtLocation(member))};`);
  return `class ${declaration.name!.text}${heritage} {\n${fields.join('\n')}\n}`;
}
