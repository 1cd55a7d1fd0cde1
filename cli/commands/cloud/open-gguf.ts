// A GGUF file as base model: read once into a folder of svc's own form in the data folder, by its content. Later starts use
// that folder, also for a copy of the file.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { openBaseModel, type ServeOptions } from '../../../lib/cloud/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import { convertGguf, digestFile } from '../../../lib/engine/index.js';
import { toNotWritable } from '../../../lib/sdk/index.js';
import { withFileLock } from '../../../lib/sdk/local-cloud/index.js';
import { isThere } from '../../../lib/system/index.js';
import type { Io } from '../../command.js';
import { printLine } from '../../print.js';
import { everyQuarter } from '../terminal/every-quarter.js';
import { keepOrigin, lockOf, placeOfRead } from './model-places.js';

interface Gguf {
  file: string;
  /** On the wire. Defaults to the file's name. */
  name?: string | undefined;
  /** The folder of all models that were read or downloaded. */
  models: string;
}

export async function openGguf(
  { file, name = toFileName(file), models }: Gguf,
  { env, stderr }: Pick<Io, 'env' | 'stderr'>,
): Promise<ServeOptions['baseModel']> {
  const folder = placeOfRead(models, await digestFile(file));
  await withFileLock(lockOf(folder), async () => {
    if (await isThere(folder)) return;
    const show = (text: string) => printLine(stderr, `Reading ${file}${text}`, env);
    show(` (${formatBytes(statSync(file).size)}). This happens once.`);
    try {
      await convertGguf(
        file,
        folder,
        everyQuarter(percent => show(`: ${percent}%`)),
      );
    } catch (error) {
      throw toNotWritable(error, folder);
    }
  });
  await keepOrigin(folder, file);
  return openBaseModel(folder, name);
}

/** The part of a file's name that says what it is, as a model's name. */
export function toFileName(file: string): string {
  return toModelName(basename(file).replace(/\.gguf$/i, ''));
}

/** IDs of fine-tuned models separate names by colons. */
export function toModelName(text: string): string {
  return text.replace(/[^\w./-]/g, '-');
}
