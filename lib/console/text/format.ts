// Formats numbers, sizes and times. Values are rounded before the unit is chosen, so nothing reads "60.0 s" or
// "1000 kB". A number that is not finite becomes a dash.

const MISSING = '–';
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
const TWO_DIGITS = { minimumSignificantDigits: 2, maximumSignificantDigits: 2 } as const;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// `below`: the limit from which the next unit is used. Months and years have their mean length.
const AGES = [
  { noun: 'minute', size: MINUTE, below: 60 },
  { noun: 'hour', size: HOUR, below: 24 },
  { noun: 'day', size: DAY, below: 30 },
  { noun: 'month', size: 30.436875 * DAY, below: 12 },
  { noun: 'year', size: 365.2425 * DAY, below: Number.POSITIVE_INFINITY },
];

/** Rounded to significant digits, without trailing zeros: `1.581`, `2.5`, `0`; `1.5e9` from a billion up. */
export function formatNumber(value: number, significant = 4): string {
  if (!Number.isFinite(value)) return MISSING;
  const rounded = Number(value.toPrecision(significant));
  const size = Math.abs(rounded);
  if (size === 0 || (size >= 1e-4 && size < 1e9)) return String(rounded);
  return rounded.toExponential().replace('e+', 'e');
}

/** Decimal units with at most one decimal place: `999 B`, `1.5 kB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes)) return MISSING;
  if (Math.round(bytes) < 1000) return `${Math.round(bytes)} B`;
  for (const [unit, size] of [['kB', 1e3] as const, ['MB', 1e6] as const]) {
    const tenths = Math.round((bytes / size) * 10);
    if (tenths < 10_000) return `${tenths / 10} ${unit}`;
  }
  return `${Math.round(bytes / 1e8) / 10} GB`;
}

/** `$12.30`, and with two digits that say something below a dollar: `$0.031`, `$0.00042`. */
export function formatDollars(dollars: number): string {
  if (!Number.isFinite(dollars)) return MISSING;
  return `$${dollars.toLocaleString('en-US', dollars === 0 || dollars >= 0.995 ? CENTS : TWO_DIGITS)}`;
}

/** `350 ms`, `4.2 s`, `3 min 5 s`, `2 h 4 min`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return MISSING;
  const duration = Math.max(0, ms);
  if (Math.round(duration) < SECOND) return `${Math.round(duration)} ms`;
  const tenths = Math.round(duration / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(duration / SECOND);
  if (seconds < 3600) return twoUnits(seconds, 'min', 's');
  return twoUnits(Math.round(duration / MINUTE), 'h', 'min');
}

/** How much is done, rounded down, so that only all of it is `100 %`. */
export function doneShareText(fraction: number): string {
  // 0.29 * 100 is 28.999999999999996.
  return `${Math.floor(fraction * 100 + 1e-9)} %`;
}

/** `just now`, `5 minutes ago`, `in 2 hours`. Text that is not a time is returned as is. */
export function formatRelativeTime(iso: string, now: Date): string {
  const ahead = new Date(iso).getTime() - now.getTime();
  if (Number.isNaN(ahead)) return iso;
  const distance = Math.abs(ahead);
  if (Math.round(distance / MINUTE) === 0) return 'just now';
  const age = AGES.find(({ size, below }) => Math.round(distance / size) < below)!;
  const text = plural(Math.max(1, Math.round(distance / age.size)), age.noun);
  return ahead > 0 ? `in ${text}` : `${text} ago`;
}

/** The time in the viewer's locale, as `toLocaleString` formats it. Text that is not a time is returned as is. */
export function formatLocalTime(iso: string, locale?: string, timeZone?: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return timeZone === undefined ? time.toLocaleString(locale) : time.toLocaleString(locale, { timeZone });
}

let counts: Intl.NumberFormat | undefined;

/** `100,000` */
export function formatCount(count: number): string {
  // Made by the first count, since that takes a program 15 ms.
  counts ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
  return Number.isFinite(count) ? counts.format(count) : MISSING;
}

/** Null if unknown. */
export function countText(count: number | undefined): string | null {
  return count === undefined ? null : formatCount(count);
}

/** `1 artifact`, `2 artifacts`, `0 artifacts` */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function twoUnits(count: number, large: string, small: string): string {
  const rest = count % 60;
  return `${Math.floor(count / 60)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
