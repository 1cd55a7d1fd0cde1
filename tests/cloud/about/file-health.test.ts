// What health says of reading files: nothing while callers have their turns, and who waits once others take them all.
import { afterEach, expect, it } from 'vitest';
import type { FileReader } from '../../../lib/engine/index.js';
import { type MemoryCloud, openMemoryCloud, SECRET } from '../serve/memory-cloud.js';

let cloud: MemoryCloud;
afterEach(() => cloud.close());

async function readHealth(load: FileReader['load']) {
  const files: FileReader = {
    run: () => Promise.reject(new Error('No file is read here.')),
    load,
    close() {},
  };
  cloud = await openMemoryCloud({ files });
  return cloud.client().getHealth(SECRET);
}

it('is good while the work of one caller waits for its own', async () => {
  const health = await readHealth({ running: 2, waiting: 60, heldUpMs: 0 });
  expect(health).toMatchObject({ status: 'ok', files: { running: 2, waiting: 60 } });
});

it('is bad once a caller waits for others alone', async () => {
  const health = await readHealth({ running: 3, waiting: 5, heldUpMs: 12_345 });
  const message = 'Uploads and previews wait, the first for 12 s (5 in all).';
  expect(health).toMatchObject({ status: 'degraded', problems: [{ part: 'files', message }] });
});
