import { expect, test } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDollars,
  formatDuration,
  formatLocalTime,
  formatNumber,
  formatRelativeTime,
  plural,
} from '../../lib/console/text/format.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

test.each([
  [0, '0'],
  [-0, '0'],
  [3, '3'],
  [2.5, '2.5'],
  [1.9632431614775572, '1.963'],
  [-0.30000000000000004, '-0.3'],
  [0.000123456, '0.0001235'],
  [123456, '123500'],
  [99999, '100000'],
  [1.23456e-5, '1.235e-5'],
  [999_999_999, '1e9'],
  [Number.NaN, '–'],
  [Math.PI, '3.1', 2],
])('the number %f reads %s, with as many significant digits as asked', (value, text, digits?) =>
  expect(formatNumber(value, digits)).toBe(text),
);

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [999.7, '1 kB'],
  [1500, '1.5 kB'],
  [12_000, '12 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1 MB'],
  [999_950_000, '1 GB'],
  [1_234_000_000_000, '1234 GB'],
])('%f bytes read %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [0, '$0.00'],
  [0.000424, '$0.00042'],
  [0.031, '$0.031'],
  [0.994, '$0.99'],
  [0.996, '$1.00'],
  [1234.5, '$1,234.50'],
  [Number.NaN, '–'],
])('%f dollars read %s', (dollars, text) => expect(formatDollars(dollars)).toBe(text));

test.each([
  [-5, '0 ms'],
  [350, '350 ms'],
  [999.6, '1.0 s'],
  [4200, '4.2 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min'],
  [185 * SECOND, '3 min 5 s'],
  [119.6 * SECOND, '2 min'],
  [3599.4 * SECOND, '59 min 59 s'],
  [3599.6 * SECOND, '1 h'],
  [2 * HOUR + 240 * SECOND, '2 h 4 min'],
  [3 * HOUR - SECOND, '3 h'],
  [50 * HOUR, '50 h'],
])('%f ms read %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  [0, 'just now'],
  [-29 * SECOND, 'just now'],
  [29 * SECOND, 'just now'],
  [-60 * SECOND, '1 minute ago'],
  [-300 * SECOND, '5 minutes ago'],
  [-59.6 * 60 * SECOND, '1 hour ago'],
  [2 * HOUR, 'in 2 hours'],
  [-23.6 * HOUR, '1 day ago'],
  [-3 * DAY, '3 days ago'],
  [-29.7 * DAY, '1 month ago'],
  [-100 * DAY, '3 months ago'],
  [-360 * DAY, '1 year ago'],
  [800 * DAY, 'in 2 years'],
])('a time %f ms from now reads %s', (ahead, text) =>
  expect(formatRelativeTime(new Date(NOW.getTime() + ahead).toISOString(), NOW)).toBe(text),
);

test('a local time is what the viewer’s locale makes of it; text that is none stays as it is', () => {
  const iso = '2026-03-01T20:04:05.000Z';
  const time = new Date(iso);
  expect(formatLocalTime(iso)).toBe(time.toLocaleString());
  expect(formatLocalTime(iso, 'de-DE', 'Asia/Tokyo')).toBe('2.3.2026, 05:04:05');
  const timeZone = 'America/New_York';
  expect(formatLocalTime(iso, 'en-US', timeZone)).toBe(time.toLocaleString('en-US', { timeZone }));
  expect([formatLocalTime('soon'), formatRelativeTime('soon', NOW)]).toEqual(['soon', 'soon']);
});

test('counts have thousands separators; one is singular, everything else is plural', () => {
  expect([0, 999, 1000, 1_234_567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567']);
  const texts = [0, 1, 2, 1000].map(count => plural(count, 'artifact'));
  expect(texts).toEqual(['0 artifacts', '1 artifact', '2 artifacts', '1,000 artifacts']);
});
