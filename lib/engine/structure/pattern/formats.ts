// JSON schema's string formats as regular expressions. Each is narrower than its standard, so that every validator accepts
// what it matches.

const DAY = '(?:0[1-9]|1\\d|2[0-8])';
const LEAP_YEAR = '(?:[1-9]\\d(?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[13579][26])00)';
const YEAR = '[1-9]\\d{3}';
const DATE = `(?:${YEAR}-(?:(?:0[1-9]|1[0-2])-${DAY}|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|${LEAP_YEAR}-02-29)`;
const HOUR_MINUTE = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const TIME = `${HOUR_MINUTE}:[0-5]\\d(?:\\.\\d{1,6})?(?:Z|[+-]${HOUR_MINUTE})`;
const LASTING = '(?:\\d{1,4}H(?:\\d{1,4}M)?(?:\\d{1,4}S)?|\\d{1,4}M(?:\\d{1,4}S)?|\\d{1,4}S)';
const DAYS = '(?:\\d{1,4}Y(?:\\d{1,4}M)?(?:\\d{1,4}D)?|\\d{1,4}M(?:\\d{1,4}D)?|\\d{1,4}D)';
const DURATION = `P(?:\\d{1,4}W|${DAYS}(?:T${LASTING})?|T${LASTING})`;
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const DOMAIN = `(?:${LABEL}\\.)+[A-Za-z]{2,24}`;
/** The last label starts with a letter: with a digit, URLs take some for an address. */
const HOST = `(?:${LABEL}\\.)*[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?`;
const LOCAL = "[A-Za-z0-9_](?:[A-Za-z0-9_'+-]*[A-Za-z0-9_])?";
const EMAIL = `${LOCAL}(?:\\.${LOCAL})*@${DOMAIN}`;
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${BYTE}\\.){3}${BYTE}`;
const GROUP = '[0-9a-fA-F]{1,4}';
const shortened = Array.from({ length: 7 }, (_, before) => {
  const left = before === 0 ? ':' : `(?:${GROUP}:){${before}}`;
  return `${left}(?::${GROUP}){1,${7 - before}}`;
});
const IPV6 = `(?:(?:${GROUP}:){7}${GROUP}|(?:${GROUP}:){1,7}:|${shortened.join('|')}|::|::[fF]{4}:${IPV4})`;
const ESCAPED = '%[0-9A-Fa-f]{2}';
const PATH_CHARACTER = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${ESCAPED})`;
const USER = `(?:[A-Za-z0-9._~!$&'()*+,;=:-]|${ESCAPED})+@`;
const PORT = '(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
const QUERY = `\\?(?:${PATH_CHARACTER}|[/?])*`;
const FRAGMENT = `#(?:${PATH_CHARACTER}|[/?])*`;
const URL = `https?://(?:${USER})?(?:${HOST}|${IPV4})(?::${PORT})?(?:/${PATH_CHARACTER}*)*(?:${QUERY})?(?:${FRAGMENT})?`;
/** A path, whose first part has no colon and is not empty, or what follows a path. */
const RELATIVE = `(?:/|/?(?:[A-Za-z0-9._~!$&'()*+,;=@-]|${ESCAPED})+(?:/${PATH_CHARACTER}*)*)(?:${QUERY})?(?:${FRAGMENT})?|${QUERY}(?:${FRAGMENT})?|${FRAGMENT}`;
const REFERENCE = `(?:${URL}|${RELATIVE})`;
const uuidOf = (version: string) =>
  `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-${version}[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}`;
/** The first and the last one. */
const UUID_ENDS = ['0', '[fF]'].map(digit => [8, 4, 4, 4, 12].map(length => `${digit}{${length}}`).join('-'));

const FORMATS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE}T${TIME}`,
  duration: DURATION,
  email: EMAIL,
  'idn-email': EMAIL,
  hostname: HOST,
  'idn-hostname': HOST,
  ipv4: IPV4,
  ipv6: IPV6,
  uri: URL,
  'uri-reference': REFERENCE,
  iri: URL,
  'iri-reference': REFERENCE,
  uuid: [uuidOf('[1-8]'), ...UUID_ENDS].join('|'),
  ...Object.fromEntries([1, 3, 4, 5, 6, 7, 8].map(version => [`uuid${version}`, uuidOf(String(version))])),
  'json-pointer': '(?:/(?:[^~/]|~[01])*)*',
  'relative-json-pointer': '(?:0|[1-9]\\d*)(?:#|(?:/(?:[^~/]|~[01])*)*)',
};

/** Formats that no regular expression can describe. */
const BEYOND = ['regex', 'uri-template'];

/** Null for an unknown format, which JSON schema ignores. */
export function patternOfFormat(format: string): string | null {
  const source = Object.hasOwn(FORMATS, format) ? FORMATS[format]! : null;
  return source && `^(?:${source})$`;
}

export const isBeyondPatterns = (format: string): boolean => BEYOND.includes(format);

/** The maximum length in characters, if the standard has one. */
export function longestOf(format: string): number {
  if (/^(?:idn-)?hostname$/.test(format)) return 253;
  return /^(?:idn-)?email$/.test(format) ? 254 : Number.POSITIVE_INFINITY;
}
