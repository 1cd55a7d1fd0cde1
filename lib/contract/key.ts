// API keys of a deployment: the record on the wire and the plaintext format: `svc_live_`, 30 random base62 characters, and a
// checksum of them, so that a mistyped or foreign key is refused without a database lookup. Only its SHA-256 is stored.
import * as z from 'zod/mini';
import { orNull, printable, timestamp } from './text.js';

export const key = z.object({
  id: z.string(),
  label: z.string(),
  prefix: z.string(),
  enabled: z.boolean(),
  createdAt: timestamp,
  lastUsedAt: orNull(timestamp),
});

export type Key = z.output<typeof key>;

/** The response to issuing a key: the only one that contains the plaintext. */
export const issuedKey = z.extend(key, { plaintext: z.string() });

export type IssuedKey = z.output<typeof issuedKey>;

export const keyInput = z.strictObject({ label: printable(80) });

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

/** Uses the system's secure random source. */
export function generateKey(): KeyText {
  const secret = randomBase62(SECRET_LENGTH);
  const plaintext = MARK + secret + checksum(secret);
  return { plaintext, prefix: plaintext.slice(0, PREFIX_LENGTH) };
}

/** The key in `text`, or null if `text` cannot be one of ours. Does not check whether it was ever issued. */
export function parseKey(text: string): KeyText | null {
  const match = KEY_PATTERN.exec(text);
  if (!match || checksum(match[1]!) !== match[2]) return null;
  return { plaintext: text, prefix: text.slice(0, PREFIX_LENGTH) };
}

/** Drops bytes above the last multiple of 62: a plain modulo would favor the first characters. */
function randomBase62(length: number): string {
  const fair = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** CRC-32 of the secret's ASCII, in base62, padded to six characters. @internal */
export function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

function crc32(ascii: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < ascii.length; i++) {
    crc ^= ascii.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
