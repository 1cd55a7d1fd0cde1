// Which exports each source file has, and which names it imports from others.
import ts from 'typescript';
import type { SourceFile } from './source.js';

interface Names {
  path: string;
  exported: string[];
  imported: Set<string>;
}

/** Exports that no other file imports, as `path name`. Imports are matched by name, through any re-export. */
export function findUnusedExports(files: SourceFile[], users: SourceFile[]): string[] {
  const used = new Map<string, string[]>();
  for (const { path, imported } of users.map(readNames))
    for (const name of imported) used.set(name, [...(used.get(name) ?? []), path]);
  return files.map(readNames).flatMap(({ path, exported }) =>
    exported
      .filter(name => !used.get(name)?.some(user => user !== path))
      .map(name => `${path} ${name}`)
      .sort(),
  );
}

function readNames({ path, source }: SourceFile): Names {
  const script = path.endsWith('.vue')
    ? [...source.matchAll(SCRIPT)].map(([, code]) => code).join('\n')
    : source;
  const tree = ts.createSourceFile(`${path}.tsx`, script, ts.ScriptTarget.Latest);
  const names: Names = { path, exported: [], imported: new Set() };
  const visit = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node) || (ts.isExportSpecifier(node) && path === PACKAGE_DOOR))
      names.imported.add((node.propertyName ?? node.name).text);
    // What is read of a module that is loaded when it is needed, or of a namespace.
    else if (ts.isPropertyAccessExpression(node)) names.imported.add(node.name.text);
    else if (ts.isBindingElement(node)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name)) names.imported.add(name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  names.exported = tree.statements.filter(isExported).flatMap(namesOf);
  return names;
}

/** What it re-exports is for the package's users. Other re-exports only pass on what somebody must import. */
const PACKAGE_DOOR = 'lib/index.ts';

const SCRIPT = /<script[^>]*>([\s\S]*?)<\/script>/g;

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false;
  const kinds = ts.getModifiers(statement)?.map(({ kind }) => kind) ?? [];
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name ? [name.text] : [];
}
