// A project's entry: finds it, builds it into one module, and loads that. If a build fails, the previous one stays.
import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildFailure, Message } from 'esbuild';
import { replaceFile } from '../files/files.js';
import { findService, type Service } from '../service.js';

export const ENTRY_FILES = ['ts', 'tsx', 'mts', 'js', 'mjs'].map(ending => `src/svc/index.${ending}`);

/** @internal */
export const buildPath = (folder: string) => join(folder, '.svc', 'build', 'index.mjs');

/** The named entry, or the first of `ENTRY_FILES` that exists. */
export async function findEntry(folder: string, named?: string): Promise<string> {
  const candidates = named === undefined ? ENTRY_FILES : [named];
  for (const file of candidates) {
    const path = resolve(folder, file);
    if ((await stat(path).catch(() => null))?.isFile()) return path;
  }
  if (named !== undefined)
    throw new Error(
      `There is no ${relative(folder, resolve(folder, named))} in ${folder}. Pass an existing entry file, or omit it to use ${ENTRY_FILES[0]}.`,
    );
  throw new Error(`There is no ${ENTRY_FILES[0]} in ${folder}. Run "svc init" to create one.`);
}

interface Built {
  path: string;
  /** Absolute paths of the source files. */
  sources: string[];
}

const SOURCES = '// svc:sources ';

/** `check` gets a copy of the new build before it replaces the old one; if it throws, the old build stays. */
export async function buildEntry(
  folder: string,
  entry: string,
  check?: (candidate: string) => Promise<void>,
): Promise<Built> {
  const path = buildPath(folder);
  // Imported lazily: loading takes a while, and Studio serves its page before building anything.
  const { build } = await import('esbuild');
  // Times of files have fractions of a millisecond.
  const begun = Date.now() + 1;
  const result = await build({
    entryPoints: [entry],
    absWorkingDir: folder,
    outfile: path,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    metafile: true,
    write: false,
    logLevel: 'silent',
  }).catch((failure: BuildFailure) => {
    throw new Error(failure.errors?.map(describe).join('\n') || String(failure));
  });
  const sources = Object.keys(result.metafile.inputs);
  const record: BuildRecord = {
    entry: relative(folder, entry),
    digests: await digestAll(folder, sources, begun),
  };
  const content = `${result.outputFiles[0]!.text}${SOURCES}${JSON.stringify(record)}\n`;
  if (check) await checkCopy(path, content, check);
  await replaceFile(path, content);
  return { path, sources: sources.map(source => resolve(folder, source)) };
}

/** The copy is next to the build, so that its imports resolve the same way. */
async function checkCopy(path: string, content: string, check: (candidate: string) => Promise<void>) {
  const copy = join(dirname(path), `candidate-${randomBytes(4).toString('hex')}.mjs`);
  await replaceFile(copy, content);
  try {
    await check(copy);
  } finally {
    await rm(copy, { force: true });
  }
}

/** The current build and its time; null if there is none. */
export async function findBuild(folder: string): Promise<{ path: string; builtAt: Date } | null> {
  const path = buildPath(folder);
  const found = await stat(path).catch(() => null);
  return found && { path, builtAt: found.mtime };
}

interface KnownBuild {
  path: string;
  builtAt: Date;
  /** The sources that have changed since. */
  changed: string[];
  /** In the folder; undefined for a build of a version that did not note it. */
  entry: string | undefined;
}

/** Null if nobody knows of which sources it is. */
export async function readBuild(folder: string): Promise<KnownBuild | null> {
  const found = await findBuild(folder);
  if (!found) return null;
  const { path, builtAt } = found;
  const last = (await readFile(path, 'utf8')).trimEnd().split('\n').at(-1)!;
  if (!last.startsWith(SOURCES)) return null;
  const record = JSON.parse(last.slice(SOURCES.length)) as BuildRecord | Digests;
  const { entry, digests: then } = isWhole(record) ? record : { entry: undefined, digests: record };
  const sources = Object.keys(then);
  const now = await digestAll(folder, sources);
  return { path, builtAt, changed: sources.filter(source => now[source] !== then[source]), entry };
}

/** What a build says of itself in its last line. Those of earlier versions have the digests alone. */
interface BuildRecord {
  entry: string;
  digests: Digests;
}

const isWhole = (record: BuildRecord | Digests): record is BuildRecord =>
  typeof record.digests === 'object' && record.digests !== null;

/** By source; null for one that cannot be read, or that was saved while it was being built. */
type Digests = Record<string, string | null>;

/** Times would not tell of a source that was deleted, or replaced by an older one. */
async function digestAll(
  folder: string,
  sources: readonly string[],
  begun = Number.POSITIVE_INFINITY,
): Promise<Digests> {
  const digests = sources.map(async source => {
    const path = resolve(folder, source);
    const content = await readFile(path).catch(() => null);
    const found = await stat(path).catch(() => null);
    const isKnown = content !== null && found !== null && found.mtimeMs <= begun;
    return [source, isKnown ? createHash('sha256').update(content).digest('hex') : null] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

function describe({ text, location }: Message): string {
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
}

/** Loads a build into this process. Null if it exports no service. Throws whatever the module throws. */
export async function loadService(path: string): Promise<Service | null> {
  const { mtimeMs } = await stat(path);
  // Modules are cached by URL, so each build needs its own.
  const module = (await import(`${pathToFileURL(path).href}?built=${mtimeMs}`)) as Record<string, unknown>;
  return findService(module);
}
