// What the engine refused, as the wire says it. Anything else of the engine is nobody's business but the log's.
import { ApiError, type ApiErrorOptions, type ErrorCode } from '../../contract/index.js';
import { EngineError } from '../../engine/index.js';
import { adapterDamaged } from '../artifacts/adapter-damage.js';

const REFUSALS: Partial<Record<ErrorCode, ApiErrorOptions>> = {
  invalid_value: { param: 'messages' },
  context_length_exceeded: { param: 'messages' },
  engine_busy: { headers: { 'retry-after': '1' } },
  engine_unavailable: { headers: { 'retry-after': '5' } },
};

/** The `ApiError` of an engine's refusal; other errors as they are. */
export function toWireError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  if (error.code === 'adapter_damaged') return adapterDamaged();
  const options = REFUSALS[error.code as ErrorCode];
  return options ? new ApiError(error.code as ErrorCode, error.message, options) : error;
}
