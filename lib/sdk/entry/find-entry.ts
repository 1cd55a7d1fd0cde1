// Paths of a project's entry file and its build.
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

export const ENTRY_FILES = ['ts', 'tsx', 'mts', 'js', 'mjs'].map(ending => `src/svc/index.${ending}`);

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
