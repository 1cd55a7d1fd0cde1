// Unpacking archives: whole or not at all, never over a file, never outside.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unpackTar } from '../../../cli/commands/tar/unpack.js';
import { makeTar, type TarEntry } from '../support/make-tar.js';

let root: string;
let out: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-tar-'));
  out = join(root, 'deep', 'out');
});
afterEach(() => rm(root, { recursive: true }));

/** In pieces of so many bytes. */
async function* inPieces(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const unpack = (entries: TarEntry[], size?: number) => unpackTar(inPieces(makeTar(entries), size), out);
const left = () => readdirSync(join(root, 'deep'));

describe('unpacking', () => {
  it.each([1, 7, 512, 100_000])('writes files and folders, from pieces of %i bytes', async size => {
    const long = 'x'.repeat(1500);
    const files = await unpack(
      [
        { path: './', kind: '5' },
        { path: './adapter_config.json', content: '{}' },
        { path: 'inner/', kind: '5' },
        { path: 'inner/weights.bin', content: long },
        { path: 'empty', content: '' },
      ],
      size,
    );
    expect(files).toEqual(['adapter_config.json', 'inner/weights.bin', 'empty']);
    expect(readFileSync(join(out, 'adapter_config.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(out, 'inner/weights.bin'), 'utf8')).toBe(long);
    expect(left()).toEqual(['out']);
  });

  it('reads long names as ustar, pax and GNU write them', async () => {
    // Its length counts itself: three digits, a space and a line feed.
    const record = (text: string) => `${text.length + 5} ${text}\n`;
    const [a, b] = ['a'.repeat(90), 'b'.repeat(120)];
    const files = await unpack([
      { path: 'file', prefix: a, content: '1' },
      { path: 'PaxHeader', kind: 'x', content: record(`path=${b}`) },
      { path: 'cut', content: '2' },
      { path: '././@LongLink', kind: 'L', content: `${a}/${b}\0` },
      { path: 'cut', content: '3' },
    ]);
    expect(files).toEqual([`${a}/file`, b, `${a}/${b}`]);
  });

  it("reads what the system's own tar writes", async () => {
    mkdirSync(join(root, 'in/sub'), { recursive: true });
    writeFileSync(join(root, 'in/sub/a.txt'), 'hello');
    const bytes = execFileSync('tar', ['-cf', '-', '-C', join(root, 'in'), '.']);
    expect(await unpackTar(inPieces(bytes), out)).toEqual(['sub/a.txt']);
    expect(readFileSync(join(out, 'sub/a.txt'), 'utf8')).toBe('hello');
  });

  it('adds to a folder that is there', async () => {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'mine'), 'mine');
    await unpack([{ path: 'a/b', content: 'new' }]);
    expect(readFileSync(join(out, 'a/b'), 'utf8')).toBe('new');
    expect(readFileSync(join(out, 'mine'), 'utf8')).toBe('mine');
  });

  it('writes over no file, and then writes nothing', async () => {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'b'), 'mine');
    await expect(unpack([{ path: 'a' }, { path: 'b', content: 'new' }])).rejects.toThrow(
      `These files already exist in ${out}:\n  b\n`,
    );
    expect(readdirSync(out)).toEqual(['b']);
    expect(readFileSync(join(out, 'b'), 'utf8')).toBe('mine');
    expect(left()).toEqual(['out']);
  });
});

describe('what is not unpacked', () => {
  const paths = ['../evil', 'a/../../evil', '/etc/evil', 'C:evil', 'a\\..\\evil', '..', '.', 'a\u0001b'];

  it.each(paths)('the name %j', async path => {
    await expect(unpack([{ path: 'good', content: '1' }, { path }])).rejects.toThrow(
      'was not unpacked: it contains',
    );
    expect(left()).toEqual([]);
    expect(existsSync(join(root, 'evil'))).toBe(false);
  });

  it.each([
    ['a symbolic link', '2'],
    ['a hard link', '1'],
    ['a device', '3'],
  ])('%s', async (_, kind) => {
    await expect(unpack([{ path: 'x', kind, link: '../..' }])).rejects.toThrow('neither a file nor a folder');
    expect(left()).toEqual([]);
  });

  it('a name twice', async () => {
    await expect(unpack([{ path: 'a' }, { path: './a' }])).rejects.toThrow('EEXIST');
    expect(left()).toEqual([]);
  });

  it('an archive that broke off, in a file or between two', async () => {
    const bytes = makeTar([{ path: 'a', content: 'x'.repeat(600) }]);
    await expect(unpackTar(inPieces(bytes.subarray(0, 900)), out)).rejects.toThrow('is truncated');
    await expect(unpackTar(inPieces(bytes.subarray(0, 512 * 3)), out)).rejects.toThrow('is truncated');
    expect(left()).toEqual([]);
  });

  it('an archive with a damaged header', async () => {
    const bytes = makeTar([{ path: 'a' }]);
    bytes[0] = 98;
    await expect(unpackTar(inPieces(bytes), out)).rejects.toThrow('Invalid tar header');
  });
});
