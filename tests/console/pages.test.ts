// A long list, read page after page.
import { expect, it } from 'vitest';
import { type Page, readPages } from '../../lib/console/index.js';

const PAGES: Readonly<Record<string, Page<number> & { total: number }>> = {
  start: { items: [1, 2], nextCursor: 'middle', total: 4 },
  // A page may be shorter than asked for.
  middle: { items: [3], nextCursor: 'end', total: 5 },
  end: { items: [4, 5], nextCursor: null, total: 5 },
};

async function read(count: number, known?: Page<number> & { total: number }) {
  const asked: (string | undefined)[] = [];
  const ask = async (cursor: string | undefined) => {
    asked.push(cursor);
    return PAGES[cursor ?? 'start']!;
  };
  return { found: await readPages(ask, count, known), asked };
}

it('reads one page at least, and as many as have the items that are wanted', async () => {
  expect(await read(0)).toEqual({ found: PAGES.start, asked: [undefined] });
  const { found, asked } = await read(4);
  expect(found).toEqual({ items: [1, 2, 3, 4, 5], nextCursor: null, total: 5 });
  expect(asked).toEqual([undefined, 'middle', 'end']);
});

it('goes on from what is known, and ends with the last page', async () => {
  const { found, asked } = await read(3, PAGES.start);
  expect([found.items, found.nextCursor, asked]).toEqual([[1, 2, 3], 'end', ['middle']]);
  expect((await read(9, found)).found.items).toEqual([1, 2, 3, 4, 5]);
});
