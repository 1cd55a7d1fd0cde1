// Distinguishes base models of the same name without reading gigabytes: digests small files completely, and of weights
// their size, header and samples.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const WHOLE = /^(?:config|tokenizer)\.json$/;
const WEIGHTS = /^model(?:-\d+-of-\d+)?\.safetensors$/;

const HEAD_BYTES = 1024 ** 2;
const PLACES = 256;
const PLACE_BYTES = 4096;

/** Changes whenever the model is retrained, or its shape or tokenizer changes. */
export function digestBaseModel(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (WHOLE.test(name)) hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
    else if (WEIGHTS.test(name)) addWeights(hash.update(`${name}\0`), path);
  }
  return hash.digest('hex');
}

function addWeights(hash: Hash, path: string): void {
  const { size } = statSync(path);
  hash.update(`${size}\0`);
  const file = openSync(path, 'r');
  try {
    const add = (at: number, bytes: number) => {
      const place = Buffer.alloc(bytes);
      hash.update(place.subarray(0, readSync(file, place, 0, bytes, at)));
    };
    add(0, HEAD_BYTES);
    for (let i = 1; i <= PLACES; i++) {
      add(Math.max(0, Math.floor((size * i) / PLACES) - PLACE_BYTES), PLACE_BYTES);
    }
  } finally {
    closeSync(file);
  }
}
