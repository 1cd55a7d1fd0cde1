// The versions and the event that a client says it has.
import { describe, expect, it } from 'vitest';
import { isKnownTag, knownTags, readCursor } from '../../lib/http/index.js';

const request = (headers: Record<string, string>) => new Request('http://a.test', { headers });

describe('the versions that a client has', () => {
  it('are a list, whose tags a proxy may have marked as weak', () => {
    expect(knownTags(request({ 'if-none-match': '"a", W/"b"' }))).toEqual(['"a"', '"b"']);
    expect(knownTags(request({}))).toEqual([]);
  });

  it('are found by their whole tag, and a star stands for all', () => {
    expect(isKnownTag(request({ 'if-none-match': 'W/"a","b"' }), '"a"')).toBe(true);
    expect(isKnownTag(request({ 'if-none-match': '*' }), '"a"')).toBe(true);
    expect(isKnownTag(request({ 'if-none-match': '"ab"' }), '"a"')).toBe(false);
    expect(isKnownTag(request({}), '"a"')).toBe(false);
  });
});

describe('the last event that a client saw', () => {
  it('is that of its header, and without one that of its URL', () => {
    expect(readCursor(request({ 'last-event-id': '7' }), '3')).toBe('7');
    expect(readCursor(request({}), '3')).toBe('3');
    expect(readCursor(request({}), undefined)).toBe(undefined);
  });

  it.each(['-1', '1.5', 'x', '7 8', '1234567890123456'])('is refused where it is no number: %s', last => {
    expect(() => readCursor(request({ 'last-event-id': last }), undefined)).toThrow(
      expect.objectContaining({ status: 400, param: 'Last-Event-ID' }),
    );
  });
});
