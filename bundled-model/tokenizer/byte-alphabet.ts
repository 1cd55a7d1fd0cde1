// The characters that byte-level tokenizers write for bytes, as in GPT-2: printable bytes are themselves, the others
// take the characters from U+0100 on, in order.

const isPrintable = (byte: number) =>
  (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte <= 0xff && byte !== 0xad);

/** The character of each byte. */
export const byteCharacters: readonly string[] = writeAlphabet();

function writeAlphabet(): string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : next++));
}
