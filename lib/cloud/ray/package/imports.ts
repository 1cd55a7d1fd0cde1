// What bundled programs need to run: the chunks that it imports, and the packages that they import.
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

interface Needs {
  /** The programs and their chunks, from the root. */
  files: string[];
  packages: string[];
}

/** Static and dynamic imports, and `require`, as esbuild prints them: it numbers a `require` that a module makes itself. */
const IMPORTED = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\d*\s*\()\s*["']([^"'\n]+)["']/g;

/** Comments name types by `import("…")`. esbuild begins a line with each. */
const COMMENT_LINES = /^\s*(?:\/\*|\*|\/\/).*$/gm;

/** `entries`: paths of files from the root. */
export async function findNeeds(root: string, entries: readonly string[]): Promise<Needs> {
  const files = new Set<string>();
  const packages = new Set<string>();
  const rest = [...entries];
  for (let file = rest.pop(); file !== undefined; file = rest.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const source = (await readFile(posix.join(root, file), 'utf8')).replace(COMMENT_LINES, '');
    for (const [, name] of source.matchAll(IMPORTED)) {
      if (name!.startsWith('.')) rest.push(posix.join(posix.dirname(file), name!));
      else if (isPackage(name!)) packages.add(toPackage(name!));
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

const isPackage = (name: string) => !isBuiltin(name) && /^(?:@[\w.-]+\/)?[\w.-]+(?:\/|$)/.test(name);

const toPackage = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
