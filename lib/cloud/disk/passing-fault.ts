// Faults of the engine that will pass, as the API answers them: with when to try again.
import { ApiError } from '../../contract/index.js';
import type { EngineError } from '../../engine/index.js';

/** In seconds. */
const RETRY_AFTER: Readonly<Partial<Record<EngineError['code'], number>>> = {
  engine_busy: 1,
  engine_unavailable: 5,
};

/** Null for faults that stay. */
export function toPassingFault({ code, message }: EngineError): ApiError | null {
  const seconds = RETRY_AFTER[code];
  if (seconds === undefined) return null;
  return new ApiError(code, message, { headers: { 'retry-after': `${seconds}` } });
}
