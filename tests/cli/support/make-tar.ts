// A tar archive, written by the book and apart from the code that reads it; a test may break it.
const BLOCK = 512;

export interface TarEntry {
  path: string;
  content?: string;
  /** The letter that says what it is; `0`, a file, unless given. */
  kind?: string;
  /** What stands where a link leads. */
  link?: string;
  prefix?: string;
}

export function makeTar(entries: readonly TarEntry[], { end = true } = {}): Uint8Array<ArrayBuffer> {
  const blocks = entries.flatMap(entry => {
    const content = Buffer.from(entry.content ?? '');
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [header(entry, content.length), content, padding];
  });
  return new Uint8Array(Buffer.concat([...blocks, Buffer.alloc(end ? 2 * BLOCK : 0)]));
}

function header({ path, kind = '0', link = '', prefix = '' }: TarEntry, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(path, 0, 100);
  block.write('0000644\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('        ', 148);
  block.write(kind, 156);
  block.write(link, 157, 100);
  block.write('ustar\x0000', 257);
  block.write(prefix, 345, 155);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
