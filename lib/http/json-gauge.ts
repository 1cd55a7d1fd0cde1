// Measures JSON while its bytes arrive, without parsing it. JSON.parse blocks every other caller for as long as it runs,
// and what it costs is not the bytes but the values, the fields and the nesting that they spell out.
import { ApiError } from '../contract/index.js';

export interface JsonGauge {
  /** Throws an `ApiError` once the text so far is more than JSON.parse should be given. */
  push(bytes: Uint8Array): void;
}

export const JSON_LIMITS = { values: 200_000, fields: 1000, depth: 100 } as const;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export function createJsonGauge(): JsonGauge {
  /** How many commas each open list or object has seen. */
  const commas = new Int32Array(JSON_LIMITS.depth + 2);
  const isObject = new Uint8Array(JSON_LIMITS.depth + 2);
  let depth = 0;
  let values = 0;
  let inText = false;
  let isEscaped = false;

  function open(object: boolean): void {
    if (++depth > JSON_LIMITS.depth)
      throw new ApiError('invalid_value', `The body is nested more than ${JSON_LIMITS.depth} levels deep.`);
    commas[depth] = 0;
    isObject[depth] = object ? 1 : 0;
    count();
  }

  function count(): void {
    if (++values > JSON_LIMITS.values) throw tooMany(JSON_LIMITS.values, 'values');
  }

  function separate(): void {
    count();
    if (++commas[depth]! >= JSON_LIMITS.fields && isObject[depth])
      throw tooMany(JSON_LIMITS.fields, 'fields in one object');
  }

  /** Where the text that the bytes continue ends; the end of the bytes if it does not. */
  function skipText(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      if (isEscaped) isEscaped = false;
      else if (bytes[at] === BACKSLASH) isEscaped = true;
      else if (bytes[at] === QUOTE) {
        inText = false;
        return at;
      }
    }
    return bytes.length;
  }

  return {
    push(bytes) {
      for (let at = inText ? skipText(bytes, 0) + 1 : 0; at < bytes.length; at++) {
        const byte = bytes[at]!;
        if (byte === QUOTE) {
          inText = true;
          at = skipText(bytes, at + 1);
        } else if (byte === COMMA) separate();
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open(byte === OPEN_OBJECT);
        else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth = Math.max(0, depth - 1);
      }
    },
  };
}

function tooMany(most: number, what: string): ApiError {
  return new ApiError('body_too_large', `The body has more than ${most.toLocaleString('en')} ${what}.`);
}
