// The package that svc uploads to a Ray cluster: the Python code that runs an attempt and, for our own engine, the engine
// with its dependencies. Named by its digest, so each cluster gets it once.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import type { RayPackage } from '../client.js';
import { writeZip, type ZipEntry } from './zip.js';

/** Our engine's folder in the package. */
export const NODE_FOLDER = 'svc_node';
/** The programs that workers and replicas start, and the replica's thread for long prompts. */
const PROGRAMS = ['run-worker', 'serve-worker', 'prompt-thread'].map(name => `dist/lib/engine/${name}.js`);

/** `root`: the folder of the npm package. */
export async function buildPackage(root: string, hasEngine: boolean): Promise<RayPackage> {
  const entries = [...(await collectPython(root)), ...(hasEngine ? await collectEngine(root) : [])];
  const bytes = await writeZip(entries);
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes };
}

async function collectPython(root: string): Promise<ZipEntry[]> {
  const folder = join(root, 'ray/svc_ray');
  const paths = await listFiles(folder, path => /\.(?:py|json)$|py\.typed$/.test(path));
  return read(folder, paths, 'svc_ray');
}

async function collectEngine(root: string): Promise<ZipEntry[]> {
  const { files, packages } = await findNeeds(root, PROGRAMS);
  const own = await read(root, ['package.json', ...files], NODE_FOLDER);
  const installed = await findInstalled(root, packages);
  const others = await Promise.all(
    installed.map(async ({ name, folder }) =>
      read(folder, await listFiles(folder, isLoaded), `${NODE_FOLDER}/node_modules/${name}`),
    ),
  );
  return [...own, ...others.flat()];
}

const CODE = /\.(?:[cm]?js|json|node|wasm)$|\.so(?:\.[\d.]+)?$/;
/** Excludes binaries for other systems, GPU libraries that the engine does not use, browser builds, and nested archives. */
const UNUSED =
  /(?:^|\/)(?:node_modules|test|tests|script|scripts)\/|\/(?:darwin|win32)\/|providers_(?:cuda|tensorrt|webgpu)|\.min\.[cm]?js$|\.(?:map|d\.ts)$/;

function isLoaded(path: string): boolean {
  return CODE.test(path) && !UNUSED.test(path);
}

async function read(folder: string, paths: readonly string[], into: string): Promise<ZipEntry[]> {
  return Promise.all(
    paths.map(async path => ({ path: `${into}/${path}`, content: await readFile(join(folder, path)) })),
  );
}

interface Needs {
  /** The programs and their chunks, relative to the root. */
  files: string[];
  packages: string[];
}

/** Static and dynamic imports, and `require`, as esbuild prints them: it numbers a `require` that a module makes itself. */
const IMPORTED = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\d*\s*\()\s*["']([^"'\n]+)["']/g;

/** Comments may refer to types as `import("…")`. esbuild starts a line with each real import. */
const COMMENT_LINES = /^\s*(?:\/\*|\*|\/\/).*$/gm;

/**
 * The files that bundled programs need: the chunks that they import, and the packages. `entries`: file paths relative to the
 * root.
 */
async function findNeeds(root: string, entries: readonly string[]): Promise<Needs> {
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

interface InstalledPackage {
  name: string;
  folder: string;
}

/** Needed only to install a package, not to load it. */
const INSTALL_ONLY: Readonly<Record<string, readonly string[]>> = {
  'onnxruntime-node': ['adm-zip', 'global-agent'],
};

class PackageMissingError extends Error {
  override readonly name = 'PackageMissingError';
}

/** Installed packages with all their dependencies, resolved like Node does: from the closest `node_modules` upward. */
async function findInstalled(root: string, names: readonly string[]): Promise<InstalledPackage[]> {
  const found = new Map<string, InstalledPackage>();
  const rest = names.map(name => ({ name, from: root }));
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { name, from } = next;
    if (found.has(name)) continue;
    const { folder, dependencies } = await resolvePackage(name, from);
    found.set(name, { name, folder });
    const skipped = INSTALL_ONLY[name] ?? [];
    for (const needed of dependencies)
      if (!skipped.includes(needed)) rest.push({ name: needed, from: folder });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function resolvePackage(name: string, from: string) {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) {
      const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
      return { folder, dependencies: Object.keys(dependencies) };
    }
    if (at === dirname(at))
      throw new PackageMissingError(
        `The package ${name} is missing, so the engine cannot be sent. Reinstall svc.`,
      );
  }
}

/** All files in a folder, sorted, as paths with forward slashes. */
async function listFiles(folder: string, isWanted: (path: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(isWanted)
    .sort();
}
