import { expect, it } from 'vitest';
import { byteCharacters } from '../../tokenizer/byte-alphabet.js';

it('writes each byte as a different character, never a space', () => {
  expect(new Set(byteCharacters).size).toBe(256);
  expect(byteCharacters.filter(character => /\s/.test(character))).toEqual([]);
});

it('writes bytes as byte-level tokenizers do', () => {
  const written = [0x00, 0x0a, 0x20, 0x41, 0x7e, 0x7f, 0xa1, 0xad, 0xff].map(byte => byteCharacters[byte]);
  expect(written.join('')).toBe('ĀĊĠA~ġ¡Ńÿ');
});
