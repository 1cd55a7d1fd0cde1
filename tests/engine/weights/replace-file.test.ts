import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFolder } from '../../../lib/engine/weights/replace-folder.js';
import { replaceFile } from '../../../lib/system/index.js';
import { temporaryFolder } from './sample-files.js';

const bytes = (text: string) => [Buffer.from(text)];

function* failing(): Iterable<Uint8Array> {
  yield Buffer.from('half of it');
  throw new Error('the disk is full');
}

it('a file stays unchanged if writing fails', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a');
  await replaceFile(file, [Buffer.from('o'), Buffer.from('ld')]);
  await expect(replaceFile(file, failing())).rejects.toThrow('the disk is full');
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['a']);
});

it('a folder stays unchanged if writing fails', async () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'f');
  await replaceFolder(folder, { a: bytes('old'), b: bytes('old') });
  await expect(replaceFolder(folder, { a: bytes('new'), b: failing() })).rejects.toThrow('the disk is full');
  expect(['a', 'b'].map(name => readFileSync(join(folder, name), 'utf8'))).toEqual(['old', 'old']);
  expect(readdirSync(parent)).toEqual(['f']);
});
