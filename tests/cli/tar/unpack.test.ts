// Unpacking archives: whole or not at all, never over a file, never outside.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { unpackTar } from '../../../cli/commands/files/fill-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeTar, type TarEntry } from '../support/make-tar.js';

let root: string;
let out: string;
beforeEach(() => {
  root = temporaryFolder('svc-tar');
  out = join(root, 'deep', 'out');
});

/** In pieces of so many bytes. */
async function* inPieces(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const unpack = (entries: TarEntry[], size?: number) => unpackTar(inPieces(makeTar(entries), size), out);
const left = () => readdirSync(join(root, 'deep'));
const read = (path: string) => readFileSync(join(out, path), 'utf8');

describe('unpacking', () => {
  it.each([1, 7, 512, 100_000])('writes files and folders, from pieces of %i bytes', async size => {
    const long = 'x'.repeat(1500);
    const entries = [
      { path: './', kind: '5' },
      { path: './adapter_config.json', content: '{}' },
      { path: 'inner/', kind: '5' },
      { path: 'inner/weights.bin', content: long },
      { path: 'empty', content: '' },
    ];
    expect(await unpack(entries, size)).toEqual(['adapter_config.json', 'inner/weights.bin', 'empty']);
    expect(read('adapter_config.json')).toBe('{}');
    expect(read('inner/weights.bin')).toBe(long);
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

  it("reads what the system's own tar writes, into a folder that is there", async () => {
    mkdirSync(join(root, 'in/sub'), { recursive: true });
    writeFileSync(join(root, 'in/sub/a.txt'), 'hello');
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'mine'), 'mine');
    const bytes = execFileSync('tar', ['-cf', '-', '-C', join(root, 'in'), '.']);
    expect(await unpackTar(inPieces(bytes), out)).toEqual(['sub/a.txt']);
    expect([read('sub/a.txt'), read('mine')]).toEqual(['hello', 'mine']);
  });

  it('writes over no file, and then writes nothing', async () => {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'b'), 'mine');
    const message = `These files already exist in ${out}:\n  b\n`;
    await expect(unpack([{ path: 'a' }, { path: 'b', content: 'new' }])).rejects.toThrow(message);
    expect(readdirSync(out)).toEqual(['b']);
    expect(read('b')).toBe('mine');
    expect(left()).toEqual(['out']);
  });
});

describe('what is not unpacked', () => {
  it.each(['../evil', 'a/../../evil', '/etc/evil', 'C:evil', 'a\\..\\evil', '..', '.', 'a\u0001b'])(
    'the name %j',
    async path => {
      const evil = unpack([{ path: 'good', content: '1' }, { path }]);
      await expect(evil).rejects.toThrow('was not unpacked: it contains');
      expect(left()).toEqual([]);
      expect(existsSync(join(root, 'evil'))).toBe(false);
    },
  );

  const whole = makeTar([{ path: 'a', content: 'x'.repeat(600) }]);
  const damaged = whole.with(0, 98);
  const link = (kind: string) => makeTar([{ path: 'x', kind, link: '../..' }]);
  it.each([
    ['a symbolic link', link('2'), 'neither a file nor a folder'],
    ['a hard link', link('1'), 'neither a file nor a folder'],
    ['a device', link('3'), 'neither a file nor a folder'],
    ['a name twice', makeTar([{ path: 'a' }, { path: './a' }]), 'EEXIST'],
    ['an archive that broke off in a file', whole.subarray(0, 900), 'is truncated'],
    ['an archive that broke off between two', whole.subarray(0, 512 * 3), 'is truncated'],
    ['an archive with a damaged header', damaged, 'Invalid tar header'],
  ])('%s', async (_, bytes, problem) => {
    await expect(unpackTar(inPieces(bytes), out)).rejects.toThrow(problem);
    expect(left()).toEqual([]);
  });
});
