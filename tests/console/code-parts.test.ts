import { expect, test } from 'vitest';
import { codeParts } from '../../lib/console/index.js';

test.each([
  ['Run `svc login` or `svc doctor`.', ['Run ', ['svc login'], ' or ', ['svc doctor'], '.']],
  ['`n` is required', [['n'], ' is required']],
  ['plain', ['plain']],
  ['', []],
  ['one ` alone, two `` empty', ['one ` alone, two `` empty']],
  ['not `over\nlines`', ['not `over\nlines`']],
])('%j has its code told apart, without the backticks', (text, parts) => {
  expect(codeParts(text).map(({ text, isCode }) => (isCode ? [text] : text))).toEqual(parts);
});
