// What Python's strftime writes where no locale is set.
import { describe, expect, it } from 'vitest';
import { parseJinja } from '../../../../lib/engine/text/jinja/index.js';
import { formatTime } from '../../../../lib/engine/text/jinja/time.js';

const EVERY_CODE =
  '%a|%A|%b|%B|%C|%d|%D|%e|%F|%g|%G|%h|%H|%I|%j|%k|%l|%m|%M|%n|%p|%P|%r|%R|%S|%t|%T|%u|%U|%V|%w|%W|%x|%X|%y|%Y|%z|%Z|%%|%c';

describe('a time', () => {
  it.each([
    [
      new Date(2026, 10, 29, 22, 5, 7),
      'Sun|Sunday|Nov|November|20|29|11/29/26|29|2026-11-29|26|2026|Nov|22|10|333|22|10|11|05|\n|PM|pm|10:05:07 PM|22:05|07|\t|22:05:07|7|48|48|0|47|11/29/26|22:05:07|26|2026|||%|Sun Nov 29 22:05:07 2026',
    ],
    [
      new Date(2024, 11, 30, 0, 0, 0),
      'Mon|Monday|Dec|December|20|30|12/30/24|30|2024-12-30|25|2025|Dec|00|12|365| 0|12|12|00|\n|AM|am|12:00:00 AM|00:00|00|\t|00:00:00|1|52|01|1|53|12/30/24|00:00:00|24|2024|||%|Mon Dec 30 00:00:00 2024',
    ],
    [
      new Date(2027, 0, 3, 12, 30, 59),
      'Sun|Sunday|Jan|January|20|03|01/03/27| 3|2027-01-03|26|2026|Jan|12|12|003|12|12|01|30|\n|PM|pm|12:30:59 PM|12:30|59|\t|12:30:59|7|01|53|0|00|01/03/27|12:30:59|27|2027|||%|Sun Jan  3 12:30:59 2027',
    ],
    [
      new Date(2020, 1, 29, 9, 8, 1),
      'Sat|Saturday|Feb|February|20|29|02/29/20|29|2020-02-29|20|2020|Feb|09|09|060| 9| 9|02|08|\n|AM|am|09:08:01 AM|09:08|01|\t|09:08:01|6|08|09|6|08|02/29/20|09:08:01|20|2020|||%|Sat Feb 29 09:08:01 2020',
    ],
  ])('is written in English: %s', (now, wanted) => {
    expect(formatTime(EVERY_CODE, now)).toBe(wanted);
  });

  it.each([
    ['%-d %B %Y', '29 February 2020'],
    ['%d %b %Y', '29 Feb 2020'],
    ['%A, %-I:%M %p', 'Saturday, 9:08 AM'],
    ['%_d|%_H|%0e|%^b|%-j|%-m', '29| 9|29|FEB|60|2'],
    ['100%%', '100%'],
    ['é%dé', 'é29é'],
    ['', ''],
    ['%f', '000000'],
  ])('is written in the format %s', (format, wanted) => {
    expect(formatTime(format, new Date(2020, 1, 29, 9, 8, 1))).toBe(wanted);
  });

  it.each(['%Q', '%E', '%Ey', '%#Z', '5%'])('is an error in the format %s', format => {
    expect(() => formatTime(format, new Date())).toThrow(`strftime_now does not know %`);
  });

  it('is the present one in a template', () => {
    expect(parseJinja("{{ strftime_now('%Y') }}").render({})).toMatch(/^2\d{3}$/);
  });
});
