// Archives as Blobs, read by the code that unpacks and by the system's own tar.
import { execFileSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readTar, toTarBlob } from '../../lib/tar/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

it('holds files on disk and in memory, and can be read again', async () => {
  const path = join(temporaryFolder('svc-tar'), 'weights');
  const bytes = Buffer.from(Array.from({ length: 200_001 }, (_, i) => i % 251));
  await writeFile(path, bytes);
  const files = { 'config.json': new Blob(['{}']), weights: await openAsBlob(path), empty: new Blob([]) };
  const blob = toTarBlob(Object.entries(files).map(([name, content]) => ({ name, content })));
  for (let reads = 0; reads < 2; reads++) {
    const found: [string, Buffer][] = [];
    for await (const { path, content } of readTar(blob.stream())) found.push([path, await buffer(content)]);
    expect(found.map(([name]) => name)).toEqual(Object.keys(files));
    expect(found.map(([, content]) => content.length)).toEqual([2, bytes.length, 0]);
    expect(found[1]![1].equals(bytes)).toBe(true);
  }
  const listed = execFileSync('tar', ['-tf', '-'], { input: Buffer.from(await blob.arrayBuffer()) });
  expect(listed.toString()).toBe('config.json\nweights\nempty\n');
});
