// The base model in the package: its name in the API, and the folder with its files.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BASE_MODEL_NAME = 'svc/tiny-instruct';

/** A folder in Hugging Face layout. */
export function baseModelFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'lib', 'base-model', 'files');
    if (folder === dirname(folder)) throw new Error('The package of the base model is not complete.');
  }
}
