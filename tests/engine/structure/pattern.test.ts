// Strings that match patterns: whatever is written matches, and nothing that matches is lost.
import { describe, expect, it } from 'vitest';
import type { Matcher } from '../../../lib/engine/structure/grammar/matcher.js';
import { patternRest, type StringLimits } from '../../../lib/engine/structure/grammar/pattern-string.js';
import { fits } from '../../../lib/engine/structure/pattern/index.js';
import { createRandom } from '../../support/random.js';

/** Writes strings, a random byte after the other, ended as soon as they may after a while. */
function write(limits: StringLimits, seed: number): string {
  const { next } = createRandom(seed);
  const bytes: number[] = [];
  let matcher: Matcher | null = patternRest(limits);
  if (!matcher) throw new Error('No string fits.');
  while (!matcher.isWhole) {
    const following: [number, Matcher][] = [];
    for (let byte = 0; byte < 256; byte++) {
      const after = matcher.step(byte);
      if (after) following.push([byte, after]);
    }
    const end = following.find(([, after]) => after.isWhole);
    const mayEnd = end && next() < (bytes.length > 60 ? 1 : 0.3);
    const printable = following.filter(([byte]) => byte < 0x7f);
    const likely = printable.length > 0 && next() < 0.9 ? printable : following;
    const [byte, after] = mayEnd ? end : likely[Math.floor(next() * likely.length)]!;
    bytes.push(byte);
    matcher = after;
    if (bytes.length > 5000) throw new Error('It does not end.');
  }
  return JSON.parse(`"${Buffer.from(bytes)}`);
}

const PATTERNS: readonly string[] = [
  'a',
  '^a',
  'a$',
  '^a|b$',
  '^(?:ab|cd)+$',
  '^[A-Z]{2}-\\d{3,5}$',
  '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
  '^\\+?[1-9]\\d{1,14}$',
  '^#(?:[0-9a-fA-F]{3}){1,2}$',
  '^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{8,20}$',
  '^(?!admin$)[a-z]+$',
  'a(?!b)',
  '^(?:a(?=[bc])|\\d(?!\\d))[a-z\\d]$',
  '^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?)?)$',
  '^x(?=.*\\b1)(?!.*(?=2)2$).+',
  '^(?!(?!a)b)..',
  '^\\p{Lu}\\p{L}*(?: \\p{Lu}\\p{L}*)*$',
  '^[äöüß€😀]+$',
  '\\bcat\\b',
  'o\\Bx',
  '^.*\\.(?:png|jpe?g)$',
  '^"quoted\\\\"$',
  '^\\u0041\\x42\\u{43}$',
  '^[\\w.-]+/[\\w.-]+$',
  '^[\\s\\S]*$',
  '^$',
  '(?:)',
  '^[^a-z\\d]+?$',
  '^a{0}b{2}c{1,}d{0,2}$',
  '^(?<year>\\d{4})-(?<month>\\d\\d)$',
  '^(?:(?:[a-z]|\\d)[a-z\\d]*|-+)$',
  '^[\\]\\-^]+$',
  '^\\S+(?: \\S+)*$',
  '^\\t\\n$',
  '^[\\0-\\x1f]{2,4}$',
  '^[^ -~]+$',
];

describe('a string with a pattern', () => {
  it.each(PATTERNS)('matches %s, as written', source => {
    const expression = new RegExp(source, 'u');
    for (let seed = 0; seed < 40; seed++)
      expect(write({ patterns: [{ source }], max: 30 }, seed)).toMatch(expression);
  });

  it.each(PATTERNS)('may be any ASCII text that matches %s', source => {
    const expression = new RegExp(source, 'u');
    const { next } = createRandom(7);
    for (let seed = 0; seed < 20; seed++) {
      const written = [...write({ patterns: [{ source }], max: 30 }, seed)];
      // Near misses: a character is another one, is missing, or is there twice.
      const at = Math.floor(next() * (written.length + 1));
      const other = String.fromCharCode(32 + Math.floor(next() * 95));
      for (const text of [
        written.toSpliced(at, 1, other),
        written.toSpliced(at, 1),
        written.toSpliced(at, 0, other),
      ].map(all => all.join('')))
        if (/^[ -~]*$/.test(text))
          expect([text, fits([{ source }], text)]).toEqual([text, expression.test(text)]);
    }
  });

  it('has its length within limits', () => {
    for (const [source, min, max] of [
      ['^(?:ab)+$', 3, 5],
      ['^[a-z]+@[a-z]+$', 20, 20],
      ['x', 4, 6],
      ['^\\d*$', 0, 3],
      ['^a', 12, Number.POSITIVE_INFINITY],
      ['^(?:é|😀)+$', 2, 3],
      ['^(?:abc|d)+$', 7, 21],
      ['^a+(?:-a{5})?$', 0, 2_000_000_000],
    ] as const)
      for (let seed = 0; seed < 20; seed++) {
        const text = write({ patterns: [{ source }], min, max }, seed);
        expect(text).toMatch(new RegExp(source, 'u'));
        expect([...text].length).toBeGreaterThanOrEqual(min);
        expect([...text].length).toBeLessThanOrEqual(max);
      }
  });

  it('matches several, and none of those that it must not', () => {
    const patterns = [{ source: 'a' }, { source: '\\d' }, { source: '^x', isNegative: true }];
    for (let seed = 0; seed < 40; seed++) {
      const text = write({ patterns, max: 30 }, seed);
      expect(/a/.test(text) && /\d/.test(text) && !/^x/.test(text)).toBe(true);
    }
  });

  it.each([
    ['^(?i)yes|no$', ['YES', 'yEs', 'NO'], ['maybe']],
    ['\\A\\d+\\Z', ['12'], ['12a', '']],
    ['^(?P<code>[A-Z]+)$', ['AB'], ['ab']],
    ['^a{,2}$', ['', 'a', 'aa'], ['aaa']],
    ['^(?i:a)b$', ['Ab', 'ab'], ['AB']],
    ['(?s)^a.b$', ['a\nb'], ['ab']],
    ['^\\U0001F600$', ['😀'], ['a']],
  ])('may be as Python writes it: %s', (source, fitting, others) => {
    expect(fitting.map(text => fits([{ source }], text))).toEqual(fitting.map(() => true));
    expect(others.map(text => fits([{ source }], text))).toEqual(others.map(() => false));
  });

  it.each([
    ['^(?!\\s).+$', '\u00a0x'],
    ['^(?!.*\\s).{3,20}$', 'a\u3000b'],
    ['^(?!.*[^\\S]).+$', 'a\u00a0b'],
    ['^(?!(?!\\s)).$', '\u00a0'],
    ['^(?!a.b)[^]+$'.replace('[^]', '[\\s\\S]'), 'a\u2028b'],
  ])('excludes what either language would: %s', (source, text) => {
    expect(fits([{ source }], text)).toBe(false);
  });

  it('excludes what either language would where it must not match, or is only limited in length ahead', () => {
    expect(fits([{ source: '^\\s*$', isNegative: true }], '\u3000')).toBe(false);
    expect(fits([{ source: '^\\d$', isNegative: true }], '٣')).toBe(false);
    expect(fits([{ source: '^\\D$', isNegative: true }], '٣')).toBe(false);
  });

  it.each([
    ['(a)\\1', 'backreference'],
    ['(?<=a)b', 'looking behind'],
    ['(?>a)', 'atomic'],
    ['(a', 'does not end'],
    ['a)', 'without its ('],
    ['[a', 'does not end'],
    ['*a', 'nothing to repeat'],
    ['a{3,2}', 'out of order'],
    ['a{1,5000}', '1000 repetitions'],
    ['^(?:a{1,1000}){1,1000}$', 'too many states'],
    ['^(?:(?:a|b)*a(?:a|b){40})$', 'too many states'],
    [`^${Array.from({ length: 120 }, (_, i) => `.*(?!.*w${i}z)`).join('')}$`, 'too many states'],
    ['a'.repeat(3000), '2000 characters'],
    ['\\q', '\\q'],
  ])('is refused where that cannot be enforced: %s', (source, reason) => {
    expect(() => patternRest({ patterns: [{ source }] })).toThrow(reason);
  });

  it.each([
    ['^.{1,1000}$', 1000],
    ['^[A-Za-z0-9 .,]{20,1000}$', 1000],
    ['^(?=.{3,500}$)\\p{L}[\\p{L}\\d ]*$', 500],
    ['^(?!.*--)[a-z0-9-]{1,1000}$', 1000],
    ['^(?:a{1000}){3}$', 3000],
  ])('may be as long as it has states for: %s', (source, longest) => {
    expect(fits([{ source }], 'a'.repeat(longest))).toBe(true);
    expect(fits([{ source }], 'a'.repeat(longest + 1))).toBe(false);
  });

  it('is refused where the least length takes too much memory', () => {
    const patterns = [{ source: '^(?:.{1000})*$' }];
    expect(() => patternRest({ patterns, min: 9000, max: 9000 })).toThrow('so large a length');
  });

  it('may be long where another one must not match', () => {
    const patterns = [{ source: '^[a-z ]{1,1000}$' }, { source: 'q', isNegative: true }];
    for (const [text, does] of [
      ['a'.repeat(1000), true],
      ['a'.repeat(1001), false],
      [`${'a'.repeat(900)}q`, false],
    ] as const)
      expect(fits(patterns, text)).toBe(does);
  });

  it.each([
    [{ patterns: [{ source: '^a$' }, { source: '^b$' }] }],
    [{ patterns: [{ source: '^abc$' }], max: 2 }],
    [{ patterns: [{ source: '^(?:ab)*$' }], min: 3, max: 3 }],
    [{ patterns: [{ source: '[]' }] }],
    [{ patterns: [{ source: '^\\Bx' }] }],
  ])('cannot be what no text matches: %j', limits => {
    expect(patternRest(limits)).toBeNull();
  });
});

it.each(['', 'a', 'é'])('a pattern that no text matches does not fit %j', text => {
  expect(fits([{ source: 'a' }, { source: '.*', isNegative: true }], text)).toBe(false);
});
