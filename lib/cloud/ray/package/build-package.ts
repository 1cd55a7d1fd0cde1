// What svc sends to a Ray cluster: the Python package that runs an attempt and, for our own engine, that engine with the
// packages it loads. Named by its digest, so a cluster gets it once.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RayPackage } from '../client.js';
import { findNeeds } from './imports.js';
import { findInstalled } from './installed-packages.js';
import { listFiles } from './list-files.js';
import { writeZip, type ZipEntry } from './zip.js';

/** Where our engine is in the package. */
export const NODE_FOLDER = 'svc_node';
/** What a worker and a replica start, and the thread of a replica that reads long prompts. */
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
/** Other systems' binaries, GPU libraries that the engine does not use, builds for browsers, and packages of packages. */
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
