// Where base models are: those that svc has downloaded or read, in `models/` in the data folder, and those of other programs.
import { lstat, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { GGUF_FORM, type LocalPlaces } from '../../../lib/engine/index.js';
import { replaceFile } from '../../../lib/system/index.js';
import type { Io } from '../../command.js';

/** Where other programs keep their models, for this user. */
export function placesOf({ env }: Pick<Io, 'env'>): LocalPlaces {
  return { env, home: env.HOME || homedir() };
}

/** `folder`: the data folder. */
export const modelsIn = (folder: string) => join(folder, 'models');

/** Where a model of the Hub is downloaded to. */
export const placeOfModel = (models: string, id: string) => join(models, id.replace('/', '--'));

/** Where GGUF files of a model of the Hub are downloaded to. */
export const placeOfFiles = (models: string, id: string) => `${placeOfModel(models, id)}--files`;

/** The lock that downloading or reading a model to a path in the folder of models takes, and deleting it there. */
export function lockOf(path: string): string {
  const folder = dirname(path);
  const place = folder.endsWith('--files') ? folder : path.replace(/(?:\.[0-9a-f]{12})?\.partial$/, '');
  return `${place}.lock`;
}

const DIGEST_LETTERS = 32;

/** Where the content of a GGUF file with this SHA-256 is read to. */
export const placeOfRead = (models: string, digest: string) =>
  join(models, `gguf-${digest.slice(0, DIGEST_LETTERS)}-${GGUF_FORM}`);

/** In the folder of a file that was read: where the file is. */
const ORIGIN = 'read-from.json';

export async function keepOrigin(place: string, file: string): Promise<void> {
  if ((await readOrigin(place)) === file) return;
  // Without it, the folder is listed by its own path.
  await replaceFile(join(place, ORIGIN), `${JSON.stringify({ file })}\n`).catch(() => {});
}

async function readOrigin(place: string): Promise<string | null> {
  try {
    const { file } = JSON.parse(await readFile(join(place, ORIGIN), 'utf8')) as { file?: unknown };
    return typeof file === 'string' ? file : null;
  } catch {
    return null;
  }
}

/** The content of a GGUF file as svc read it. */
export interface ReadModel {
  kind: 'read';
  path: string;
  /** The file it was read from, if known. */
  file: string | null;
  /** An earlier version of svc read it, so it is not used anymore. */
  isOld: boolean;
}

interface Downloaded {
  kind: 'model' | 'file';
  /** As `--base-model` takes it. */
  name: string;
  path: string;
}

/** A download, or reading a file. */
interface Interrupted {
  kind: 'partial';
  /** Null if it is what reading a file left. */
  name: string | null;
  path: string;
}

export type OwnModel = ReadModel | Downloaded | Interrupted;

const READ = /^gguf-[0-9a-f]{32}-(\d+)$/;
const DOWNLOADED = /^([\w-][\w.-]*?)--([\w-][\w.-]*?)(--files|\.[0-9a-f]{12}\.partial)?$/;

export async function listOwnModels(models: string): Promise<OwnModel[]> {
  const names = (await readdir(models).catch(() => [])).sort();
  const found = names
    .filter(name => !name.endsWith('.lock'))
    .map(name => toOwnModels(join(models, name), name));
  return (await Promise.all(found)).flat();
}

async function toOwnModels(path: string, entry: string): Promise<OwnModel[]> {
  const [read, form] = READ.exec(entry) ?? [];
  if (read) {
    const file = await readOrigin(path);
    return [{ kind: 'read', path, file, isOld: form !== String(GGUF_FORM) }];
  }
  if (/^gguf-.*\.partial$/.test(entry)) return [{ kind: 'partial', name: null, path }];
  const [found, owner, name, ending] = DOWNLOADED.exec(entry) ?? [];
  if (!found) return [];
  const id = `${owner}/${name}`;
  if (ending === undefined) return [{ kind: 'model', name: id, path }];
  return ending === '--files' ? listFiles(path, id) : [{ kind: 'partial', name: id, path }];
}

/** What a link leads to is not svc's. */
async function listFiles(folder: string, id: string): Promise<OwnModel[]> {
  if (!(await lstat(folder).catch(() => null))?.isDirectory()) return [];
  const files = (await readdir(folder).catch(() => [])).sort();
  return files.flatMap((file): OwnModel[] => {
    const path = join(folder, file);
    if (/\.gguf$/i.test(file)) return [{ kind: 'file', name: `${id}:${file}`, path }];
    const [, whole] = /^(.*\.gguf)\.part$/i.exec(file) ?? [];
    return whole === undefined ? [] : [{ kind: 'partial', name: `${id}:${whole}`, path }];
  });
}
