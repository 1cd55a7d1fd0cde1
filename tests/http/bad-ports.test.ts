// The ports that browsers and fetch refuse.
import { expect, it } from 'vitest';
import { isBadPort } from '../../lib/http/index.js';

const all = Array.from({ length: 65_535 }, (_, i) => i + 1);

it('every bad port is refused by fetch', async () => {
  const bad = all.filter(isBadPort);
  expect(bad).toEqual(expect.arrayContaining([22, 1719, 4190, 5060, 6000, 6667, 10_080]));
  for (const port of bad)
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: 'bad port' }),
    });
});

it('no common port is a bad port', () => {
  expect([80, 443, 3000, 4000, 4100, 8080].some(isBadPort)).toBe(false);
});
