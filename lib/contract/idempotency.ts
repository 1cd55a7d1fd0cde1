// The key by which a caller names a request that creates something. A retry with the same key creates nothing new.
import { ApiError } from './errors.js';

export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';

/** Throws `invalid_value` for an invalid key; null if there is none. */
export function parseIdempotencyKey(header: string | null): string | null {
  if (header === null || /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new ApiError('invalid_value', '`Idempotency-Key` must be 1–255 visible ASCII characters.', {
    param: IDEMPOTENCY_KEY_HEADER,
  });
}
