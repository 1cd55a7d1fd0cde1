// The text of messages, also of rows that nobody has checked.
import { expect, it } from 'vitest';
import { textOfContent } from '../../lib/contract/index.js';

const part = (text?: unknown) => ({ type: 'text', text });

it.each<[what: string, content: unknown, text: string | null]>([
  ['a text', 'Hello', 'Hello'],
  ['parts, one after the other', [part('Hel'), part('lo')], 'Hello'],
  ['parts of other kinds, which have none', [part('a'), { type: 'image_url' }, null, part(7)], 'a7'],
  ['no parts', [], ''],
  ['nothing', undefined, null],
  ['null, beside calls', null, null],
  ['something else', { text: 'a' }, null],
])('the text of %s', (_, content, text) => {
  expect(textOfContent(content)).toBe(text);
});
