// The repository's real sources, read from disk.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { SourceFile } from './source.js';

export const repositoryRoot = join(import.meta.dirname, '../..');

const folders = ['cli', 'lib', 'studio-web', 'bundled-model', 'tests', 'examples'];
const sourceName = /\.(ts|tsx|vue|mts|js|mjs|css)$/;
const generatedFolders = new Set(['node_modules', 'dist', '.svc']);

export function readSourceTree(): SourceFile[] {
  return folders.flatMap(folder => listSources(join(repositoryRoot, folder))).map(readSourceFile);
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return generatedFolders.has(entry.name) ? [] : listSources(path);
    return sourceName.test(entry.name) ? [path] : [];
  });
}

function readSourceFile(path: string): SourceFile {
  return {
    path: relative(repositoryRoot, path).split(sep).join('/'),
    source: readFileSync(path, 'utf8'),
  };
}
