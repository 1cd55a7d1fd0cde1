// A whole model of a few thousand weights in a temporary folder: random weights, and a real tokenizer and template.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTextFolder } from './tiny-tokenizer.js';

const golden = fileURLToPath(new URL('../golden/engine/llama', import.meta.url));

/** The folder, which the caller removes. Its 320 tokens have room for 256 bytes, 3 markers and 50 merges. */
export async function makeModelFolder(files?: Record<string, unknown>): Promise<string> {
  const folder = await makeTextFolder({ merges: 50, ...(files && { files }) });
  for (const file of ['config.json', 'model.safetensors'])
    await copyFile(join(golden, file), join(folder, file));
  return folder;
}
