// Converts engine errors that callers may see to API errors. Others go only to the log.
import { ApiError, type ApiErrorOptions, type ErrorCode } from '../../contract/index.js';
import { EngineError } from '../../engine/index.js';
import { adapterDamaged } from '../artifacts/adapter-damage.js';

const REFUSALS: Partial<Record<ErrorCode, ApiErrorOptions>> = {
  invalid_value: { param: 'messages' },
  context_length_exceeded: { param: 'messages' },
  engine_busy: { headers: { 'retry-after': '1' } },
  engine_unavailable: { headers: { 'retry-after': '5' } },
};

/** By the engine's names. */
const PARAMETERS = { logitBias: 'logit_bias' } as const;

/** The `ApiError` for an engine's refusal; returns other errors unchanged. */
export function toApiError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  if (error.code === 'adapter_damaged') return adapterDamaged();
  const known = REFUSALS[error.code as ErrorCode];
  const options = known && (error.part ? { ...known, param: PARAMETERS[error.part] } : known);
  return options ? new ApiError(error.code as ErrorCode, error.message, options) : error;
}
