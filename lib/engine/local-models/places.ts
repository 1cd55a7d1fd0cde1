// Where other programs keep their models.
import { readdir } from 'node:fs/promises';

export interface LocalPlaces {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** A model in another program's folder. */
export interface LocalModel {
  program: 'hub' | 'ollama' | 'lmstudio';
  /** As `--base-model` takes it. */
  name: string;
  /** A GGUF file, or a folder in Hugging Face layout. Null if it cannot be used. */
  path: string | null;
  /** Why it cannot. */
  problem?: string;
  /** A file with its license, if there is one. */
  licenseFile?: string;
}

/** More than anyone has; a folder with more is not read to its end. */
export const MOST_MODELS = 1000;

/** A GGUF file, but not the part of a model that reads images. */
export function isModelFile(file: string): boolean {
  return /\.gguf$/i.test(file) && !file.toLowerCase().startsWith('mmproj');
}

/** Empty if it is missing, or cannot be read. */
export const listEntries = async (folder: string) => (await readdir(folder).catch(() => [])).sort();

/** There is no such model, or it cannot be used. The message says what to do. */
export class LocalModelError extends Error {
  override readonly name = 'LocalModelError';
}
