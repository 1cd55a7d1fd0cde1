// The alphabet in which byte-level tokenizers write bytes: printable bytes are themselves, the others are characters
// from U+0100 on, in order.

const printable = (byte: number) =>
  (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte <= 0xff && byte !== 0xad);

/** The character of each byte. */
export const byteCharacters: readonly string[] = writeAlphabet();

const bytesOfCharacters = new Map(byteCharacters.map((character, byte) => [character, byte]));

function writeAlphabet(): string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printable(byte) ? byte : next++));
}

/** The bytes of a token. A token that is not written in the alphabet stands for its own text. */
export function toBytes(token: string): Uint8Array {
  const bytes = new Uint8Array(token.length);
  for (let index = 0; index < token.length; index++) {
    const byte = bytesOfCharacters.get(token[index]!);
    if (byte === undefined) return new TextEncoder().encode(token);
    bytes[index] = byte;
  }
  return bytes;
}
