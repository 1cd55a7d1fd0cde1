import { expect, it } from 'vitest';
import { byteCharacters, toBytes } from '../../../lib/engine/text/byte-alphabet.js';

it('has a unique character for every byte, none of them a space', () => {
  expect(new Set(byteCharacters).size).toBe(256);
  expect([...toBytes(byteCharacters.join(''))]).toEqual(Array.from({ length: 256 }, (_, byte) => byte));
  for (const character of byteCharacters) expect(character).toMatch(/^[^\s\p{C}]$/u);
});

it('writes letters as themselves, a space as Ġ and a newline as Ċ', () => {
  expect(Array.from(Buffer.from('a é\n'), byte => byteCharacters[byte]).join('')).toBe('aĠÃ©Ċ');
});

it('a token in other characters stands for its own text', () => {
  expect(Buffer.from(toBytes('日é')).toString()).toBe('日é');
});
