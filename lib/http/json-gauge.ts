// Measures JSON as its bytes arrive, without parsing it. JSON.parse blocks all other callers, and its cost depends less on
// bytes than on the number of values, distinct field names and nesting levels.
import { ApiError } from '../contract/index.js';

interface JsonGauge {
  /** Throws an `ApiError` once the text is too expensive for JSON.parse. */
  push(bytes: Uint8Array): void;
}

/** `names`: the number of distinct field names, which are the most expensive because each is looked up and kept. @internal */
export const JSON_LIMITS = { values: 200_000, names: 10_000, depth: 100 } as const;

/** Names are distinguished by their first bytes. A body within the limits has few longer ones. */
const SPELLED = 1024;
/** Escapes rarely come alone, and searching for each would be slower than a loop. */
const AFTER_ESCAPE = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export function createJsonGauge(): JsonGauge {
  const names = createNameCounter();
  let depth = 0;
  let values = 0;
  let inText = false;
  let isEscaped = false;
  let spelled = 0;

  function countValue(): void {
    if (++values > JSON_LIMITS.values) throw tooMany(JSON_LIMITS.values, 'values');
  }

  function open(): void {
    countValue();
    if (++depth > JSON_LIMITS.depth)
      throw new ApiError('invalid_value', `The body is nested deeper than ${JSON_LIMITS.depth} levels.`);
  }

  /**
   * Returns where the string that these bytes start in or continue ends, or the length of the bytes if it does not. Most
   * bytes of large bodies are in long texts, which a search passes faster than a loop.
   */
  function readText(bytes: Uint8Array, from: number): number {
    let [at, quote] = [from, -1];
    while (true) {
      const pause = Math.min(bytes.length, at + Math.max(AFTER_ESCAPE, SPELLED - spelled));
      for (; at < pause; at++) {
        const byte = bytes[at]!;
        if (byte === QUOTE && !isEscaped) return endText(at);
        isEscaped = byte === BACKSLASH && !isEscaped;
        if (spelled++ < SPELLED) names.spell(byte);
      }
      if (at === bytes.length) return at;
      if (isEscaped) continue;
      if (quote < at) quote = bytes.indexOf(QUOTE, at);
      if (quote === -1) quote = bytes.length;
      const backslash = bytes.subarray(at, quote).indexOf(BACKSLASH);
      if (backslash === -1) return quote === bytes.length ? quote : endText(quote);
      at += backslash;
    }
  }

  function endText(at: number): number {
    inText = false;
    return at;
  }

  return {
    push(bytes) {
      for (let at = inText ? readText(bytes, 0) + 1 : 0; at < bytes.length; at++) {
        const byte = bytes[at]!;
        if (byte === QUOTE) {
          inText = true;
          spelled = 0;
          names.begin();
          at = readText(bytes, at + 1);
        } else if (byte === COMMA) countValue();
        else if (byte === COLON) names.end();
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open();
        else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
      }
    },
  };
}

const SLOTS = 2 ** 17;

/** Approximate: names that share a slot count as one. The seed keeps callers from choosing names that do. */
function createNameCounter() {
  const seen = new Uint8Array(SLOTS);
  const seed = Math.floor(Math.random() * 2 ** 31);
  let hash = 0;
  let count = 0;
  return {
    begin() {
      hash = seed;
    },
    spell(byte: number) {
      hash = Math.imul(hash ^ byte, 0x01000193);
    },
    end() {
      const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
      if (seen[slot]) return;
      seen[slot] = 1;
      if (++count > JSON_LIMITS.names) throw tooMany(JSON_LIMITS.names, 'different field names');
    },
  };
}

function tooMany(most: number, what: string): ApiError {
  return new ApiError('body_too_large', `The body has more than ${most.toLocaleString('en')} ${what}.`);
}
