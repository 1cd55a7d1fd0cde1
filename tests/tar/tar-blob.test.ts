// Archives as Blobs, read by the code that unpacks and by the system's own tar.
import { execFileSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readTar, toTarBlob } from '../../lib/tar/index.js';

it('holds files on disk and in memory, and can be read again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-tar-'));
  try {
    const bytes = Buffer.from(Array.from({ length: 200_001 }, (_, i) => i % 251));
    await writeFile(join(folder, 'weights'), bytes);
    const blob = toTarBlob([
      { name: 'config.json', content: new Blob(['{}']) },
      { name: 'weights', content: await openAsBlob(join(folder, 'weights')) },
      { name: 'empty', content: new Blob([]) },
    ]);
    for (let reads = 0; reads < 2; reads++) {
      const found: [string, Buffer][] = [];
      for await (const { path, content } of readTar(blob.stream())) found.push([path, await buffer(content)]);
      expect(found.map(([path, content]) => [path, content.length])).toEqual([
        ['config.json', 2],
        ['weights', bytes.length],
        ['empty', 0],
      ]);
      expect(found[1]![1].equals(bytes)).toBe(true);
    }
    const listed = execFileSync('tar', ['-tf', '-'], { input: Buffer.from(await blob.arrayBuffer()) });
    expect(listed.toString()).toBe('config.json\nweights\nempty\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});
