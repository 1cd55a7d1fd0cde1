// A project's entry file, and where its build goes.
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

export const ENTRY_FILES = ['ts', 'tsx', 'mts', 'js', 'mjs'].map(ending => `src/svc/index.${ending}`);

export const buildPath = (folder: string) => join(folder, '.svc', 'build', 'index.mjs');

/** The entry that is named, or the first of the usual ones that is there. */
export async function findEntry(folder: string, named?: string): Promise<string> {
  const candidates = named === undefined ? ENTRY_FILES : [named];
  for (const file of candidates) {
    const path = resolve(folder, file);
    if ((await stat(path).catch(() => null))?.isFile()) return path;
  }
  if (named !== undefined)
    throw new Error(
      `There is no ${relative(folder, resolve(folder, named))} in ${folder}. Name the entry file as it is, or none for ${ENTRY_FILES[0]}.`,
    );
  throw new Error(`There is no ${ENTRY_FILES[0]} in ${folder}. Run "svc init" to make one.`);
}
