// The versions and the event that a client says it has, and the ports that browsers and fetch refuse.
import { expect, it } from 'vitest';
import { isBadPort, isKnownTag, knownTags, readCursor } from '../../lib/http/index.js';

const request = (headers: Record<string, string>) => new Request('http://a.test', { headers });

it('the versions that a client has are a list of tags, perhaps weak; a star stands for all', () => {
  expect(knownTags(request({ 'if-none-match': '"a", W/"b"' }))).toEqual(['"a"', '"b"']);
  expect(knownTags(request({}))).toEqual([]);
  const found = ['W/"a","b"', '*', '"ab"'].map(tags => isKnownTag(request({ 'if-none-match': tags }), '"a"'));
  expect([...found, isKnownTag(request({}), '"a"')]).toEqual([true, true, false, false]);
});

it('the last event that a client saw is that of its header, and without one that of its URL', () => {
  const cursors = [readCursor(request({ 'last-event-id': '7' }), '3'), readCursor(request({}), '3')];
  expect([...cursors, readCursor(request({}), undefined)]).toEqual(['7', '3', undefined]);
});

it.each(['-1', '1.5', 'x', '7 8', '1234567890123456'])(
  'the last event that a client saw is refused where it is no number: %s',
  last => {
    const refused = expect.objectContaining({ status: 400, param: 'Last-Event-ID' });
    expect(() => readCursor(request({ 'last-event-id': last }), undefined)).toThrow(refused);
  },
);

const all = Array.from({ length: 65_535 }, (_, i) => i + 1);

it('every bad port is refused by fetch', async () => {
  const bad = all.filter(isBadPort);
  expect(bad).toEqual(expect.arrayContaining([22, 1719, 4190, 5060, 6000, 6667, 10_080]));
  const cause = expect.objectContaining({ message: 'bad port' });
  for (const port of bad) await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause });
});

it('no common port is a bad port', () =>
  expect([80, 443, 3000, 4000, 4100, 8080].some(isBadPort)).toBe(false));
