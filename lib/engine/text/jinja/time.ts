// Python's `strftime`, in English, as it is where no locale is set.

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days since the year began, from 0. Both are counted as UTC, so that daylight saving time does not matter. */
const dayOfYear = (now: Date) =>
  (Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) - Date.UTC(now.getFullYear(), 0, 1)) / DAY_MS;

/** The week of the year, where weeks begin on this day. */
const weekFrom = (now: Date, first: number) =>
  Math.floor((dayOfYear(now) + 7 - ((now.getDay() - first + 7) % 7)) / 7);

/** The ISO year and week: that of its Thursday. */
function isoWeek(now: Date): { year: number; week: number } {
  const thursday = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 4 - (now.getDay() || 7));
  return { year: thursday.getFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 };
}

const hour12 = (now: Date) => now.getHours() % 12 || 12;

type Part = string | readonly [number: number, width: number, fill?: string];

const PARTS: Readonly<Record<string, (now: Date) => Part>> = {
  a: now => DAYS[now.getDay()]!.slice(0, 3),
  A: now => DAYS[now.getDay()]!,
  b: now => MONTHS[now.getMonth()]!.slice(0, 3),
  B: now => MONTHS[now.getMonth()]!,
  C: now => [Math.floor(now.getFullYear() / 100), 2],
  d: now => [now.getDate(), 2],
  e: now => [now.getDate(), 2, ' '],
  f: now => `${String(now.getMilliseconds()).padStart(3, '0')}000`,
  g: now => [isoWeek(now).year % 100, 2],
  G: now => [isoWeek(now).year, 4],
  h: now => MONTHS[now.getMonth()]!.slice(0, 3),
  H: now => [now.getHours(), 2],
  I: now => [hour12(now), 2],
  j: now => [dayOfYear(now) + 1, 3],
  k: now => [now.getHours(), 2, ' '],
  l: now => [hour12(now), 2, ' '],
  m: now => [now.getMonth() + 1, 2],
  M: now => [now.getMinutes(), 2],
  n: () => '\n',
  p: now => (now.getHours() < 12 ? 'AM' : 'PM'),
  P: now => (now.getHours() < 12 ? 'am' : 'pm'),
  s: now => [Math.floor(now.getTime() / 1000), 1],
  S: now => [now.getSeconds(), 2],
  t: () => '\t',
  u: now => [now.getDay() || 7, 1],
  U: now => [weekFrom(now, 0), 2],
  V: now => [isoWeek(now).week, 2],
  w: now => [now.getDay(), 1],
  W: now => [weekFrom(now, 1), 2],
  y: now => [now.getFullYear() % 100, 2],
  Y: now => [now.getFullYear(), 4],
  // The time has no time zone, as in transformers.
  z: () => '',
  Z: () => '',
  '%': () => '%',
};

const WHOLE: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
};

export function formatTime(format: string, now: Date): string {
  return format.replace(/%([-_0^#]?)(.?)/gsu, (code, flag: string, letter: string) => {
    const whole = WHOLE[letter];
    if (whole && flag === '') return formatTime(whole, now);
    const part = PARTS[letter]?.(now);
    if (part === undefined || flag === '#') throw new Error(`strftime_now does not know ${code}`);
    if (typeof part === 'string') return flag === '^' ? part.toUpperCase() : part;
    const [number, width, fill = '0'] = part;
    if (flag === '-') return String(number);
    return String(number).padStart(width, flag === '_' ? ' ' : flag === '0' ? '0' : fill);
  });
}
