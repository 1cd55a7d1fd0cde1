// The plaintext of keys: `svc_live_`, 30 random base62 characters, and a checksum of them, so that a mistyped or foreign key is
// refused without a database lookup. Only its SHA-256 is stored.
import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const MARK = 'svc_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = 12;
const KEY_PATTERN = new RegExp(`^${MARK}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

interface KeyText {
  plaintext: string;
  /** The first 12 characters, shown in lists. */
  prefix: string;
}

export function generateKey(): KeyText {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const plaintext = MARK + secret + checksum(secret);
  return { plaintext, prefix: plaintext.slice(0, PREFIX_LENGTH) };
}

/** The key in `text`, or null if `text` cannot be one of ours. Does not check whether it was ever issued. */
export function parseKey(text: string): KeyText | null {
  const match = KEY_PATTERN.exec(text);
  if (!match || checksum(match[1]!) !== match[2]) return null;
  return { plaintext: text, prefix: text.slice(0, PREFIX_LENGTH) };
}

/** CRC-32 of the secret's ASCII, in base62, padded to six characters. */
function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
