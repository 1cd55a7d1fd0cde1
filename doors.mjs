// Imports through the door of a room come from the file that defines what they name. Of a door that re-exports a whole room,
// esbuild gives each program that imports one name all that the others use of that room, and loads it at the start.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** A plugin of esbuild. */
export const throughDoors = {
  name: 'through-doors',
  async setup({ onLoad }) {
    // Loaded only where something is bundled: tests import this file, too.
    const read = createReader((await import('vite')).parseSync);
    onLoad({ filter: /\.tsx?$/, namespace: 'file' }, ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return null;
      return { contents: passDoors(path, read), loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

/** Parses each file once. */
function createReader(parseSync) {
  const modules = new Map();
  return path => {
    if (!modules.has(path)) {
      const source = readFileSync(path, 'utf8');
      modules.set(path, { source, ...parseSync(path, source).module });
    }
    return modules.get(path);
  };
}

/** The source of a file without the doors between it and what it imports. Its lines stay where they are, for stack traces. */
function passDoors(path, read) {
  const { source, staticImports, staticExports } = read(path);
  const statements = [...staticImports, ...staticExports].sort((one, other) => other.start - one.start);
  return statements.reduce((passed, statement) => {
    const { start, end } = statement;
    const direct = toDirect(statement, path, read);
    if (direct === null) return passed;
    const lines = source.slice(start, end).replace(/[^\n]/g, '');
    return passed.slice(0, start) + direct + lines + passed.slice(end);
  }, source);
}

/** The imports or exports that replace one. Null for one without a door, and for namespaces, defaults and whole rooms. */
function toDirect({ moduleRequest, entries }, path, read) {
  const values = entries.filter(({ isType }) => !isType);
  const door = findFile(path, (moduleRequest ?? values[0]?.moduleRequest)?.value);
  if (!door || values.length === 0 || values.some(({ importName }) => importName.kind !== 'Name'))
    return null;
  const found = values.map(({ importName }) => findDefinition(door, importName.name, read));
  if (found.some(each => !each) || found.every(({ file }) => file === door)) return null;
  return values
    .map(({ localName, exportName }, index) => {
      const [verb, as] = exportName ? ['export', exportName.name] : ['import', localName.value];
      const { file, name } = found[index];
      return `${verb} { ${name} as ${as} } from './${relative(dirname(path), file).replaceAll(sep, '/')}';`;
    })
    .join(' ');
}

/** The file that defines what another one exports by a name, and its name there; null if that is nowhere. */
function findDefinition(file, name, read) {
  const exported = read(file).staticExports.flatMap(({ entries }) => entries);
  const named = exported.find(({ exportName }) => exportName.name === name);
  const next = findFile(file, named?.moduleRequest?.value);
  if (named)
    return next && named.importName.kind === 'Name'
      ? findDefinition(next, named.importName.name, read)
      : { file, name };
  for (const { importName, moduleRequest } of exported) {
    const room = importName.kind === 'AllButDefault' && findFile(file, moduleRequest.value);
    const found = room && findDefinition(room, name, read);
    if (found) return found;
  }
  return null;
}

/** One of our own; null for a package. */
function findFile(from, specifier) {
  if (!specifier?.startsWith('.')) return null;
  const path = join(dirname(from), specifier);
  return [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find(existsSync) ?? null;
}
