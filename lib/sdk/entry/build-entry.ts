// Builds a project's entry into one module. If that fails, the previous build stays.
import { randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { BuildFailure, Message } from 'esbuild';
import { replaceFile } from '../files/replace-file.js';
import { buildPath } from './find-entry.js';

interface Built {
  path: string;
  /** Absolute paths of the sources. */
  sources: string[];
}

const INPUTS = '// svc:inputs ';

/** `check` gets a copy of the new build before it replaces the old one; if it throws, the old build stays. */
export async function buildEntry(
  folder: string,
  entry: string,
  check?: (candidate: string) => Promise<void>,
): Promise<Built> {
  const path = buildPath(folder);
  // Takes a while to load, and Studio's page is served before anything is built.
  const { build } = await import('esbuild');
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
  const inputs = `${INPUTS}${JSON.stringify(sources)}\n`;
  const content = `${result.outputFiles[0]!.text}${inputs}`;
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

/** The current build, its time, and the sources changed since; null if there is none. */
export async function readBuild(
  folder: string,
): Promise<{ path: string; builtAt: Date; changed: string[] } | null> {
  const path = buildPath(folder);
  const found = await stat(path).catch(() => null);
  if (!found) return null;
  const last = (await readFile(path, 'utf8')).trimEnd().split('\n').at(-1)!;
  const sources = last.startsWith(INPUTS) ? (JSON.parse(last.slice(INPUTS.length)) as string[]) : [];
  const times = await Promise.all(
    sources.map(async source => (await stat(resolve(folder, source)).catch(() => null))?.mtimeMs ?? 0),
  );
  return { path, builtAt: found.mtime, changed: sources.filter((_, i) => times[i]! > found.mtimeMs) };
}

function describe({ text, location }: Message): string {
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
}
