// The models that LM Studio has downloaded on this machine: `models/PUBLISHER/REPOSITORY/FILE.gguf` in its folder.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isModelFile, type LocalModel, LocalModelError, listEntries, MOST_MODELS } from './places.js';

/** A GGUF file. `name`: of a repository, with or without its publisher, or of a file. */
export async function findLmStudioModel(name: string, home: string): Promise<string> {
  const folders = await listFolders(home);
  const files = (await Promise.all(folders.map(listFiles))).flat();
  const matching = files.filter(({ names }) => names.includes(name.toLowerCase()));
  const [file, ...others] = matching;
  if (!file)
    throw new LocalModelError(
      `LM Studio has no GGUF model ${name} on this machine (looked in ${folders.join(' and ')}).${files.length > 0 ? ` It has:${describe(files)}` : ''}`,
    );
  if (others.length > 0)
    throw new LocalModelError(
      `LM Studio has ${matching.length} files of ${name}. Choose one:${describe(matching)}`,
    );
  return file.path;
}

export async function listLmStudioModels(home: string): Promise<LocalModel[]> {
  const files = (await Promise.all((await listFolders(home)).map(listFiles))).flat();
  return files
    .slice(0, MOST_MODELS)
    .map(({ label, path }) => ({ program: 'lmstudio', name: `lmstudio:${label}`, path }));
}

/** Its folder can be moved; a file in the home folder says where. */
async function listFolders(home: string): Promise<string[]> {
  const pointer = await readFile(join(home, '.lmstudio-home-pointer'), 'utf8').catch(() => '');
  const moved = pointer.trim();
  const places = [...(moved ? [moved] : []), join(home, '.lmstudio'), join(home, '.cache', 'lm-studio')];
  return [...new Set(places.map(place => join(place, 'models')))];
}

interface FoundFile {
  path: string;
  /** As options name it: `PUBLISHER/REPOSITORY/FILE.gguf`. */
  label: string;
  /** In lower case. */
  names: readonly string[];
}

async function listFiles(folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const publisher of await listEntries(folder)) {
    for (const repository of await listEntries(join(folder, publisher))) {
      if (found.length >= MOST_MODELS) return found;
      const files = await listEntries(join(folder, publisher, repository));
      for (const file of files.filter(isModelFile))
        found.push(toFound(folder, [publisher, repository, file]));
    }
  }
  return found;
}

function toFound(folder: string, [publisher, repository, file]: [string, string, string]): FoundFile {
  const label = `${publisher}/${repository}/${file}`;
  const names = [`${publisher}/${repository}`, repository, file, file.replace(/\.gguf$/i, ''), label];
  return { path: join(folder, label), label, names: names.map(name => name.toLowerCase()) };
}

const MOST_LISTED = 20;

const describe = (files: readonly FoundFile[]) =>
  files
    .slice(0, MOST_LISTED)
    .map(({ label }) => `\n  lmstudio:${label}`)
    .join('');
