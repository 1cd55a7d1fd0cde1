// Converts engine errors that callers may see to API errors. Others go only to the log.
import { ApiError, type ErrorCode } from '../../contract/index.js';
import { EngineError } from '../../engine/index.js';
import { adapterDamaged } from '../artifacts/adapter-damage.js';

/** Those that are about the request, and those that will pass, with when to try again in seconds. */
const REFUSALS: Partial<Record<ErrorCode, 'request' | number>> = {
  invalid_value: 'request',
  context_length_exceeded: 'request',
  engine_busy: 1,
  engine_unavailable: 5,
};

/** The fields of a format that the engine may refuse. */
export interface FieldNames {
  conversation: string;
  /** The schema of the answer. */
  json?: string;
}

/** The `ApiError` for an engine's refusal of a request with these fields; returns other errors unchanged. */
export function toApiError(error: unknown, { conversation, json = conversation }: FieldNames): unknown {
  if (!(error instanceof EngineError)) return error;
  if (error.code === 'adapter_damaged') return adapterDamaged();
  if (error.code === 'model_damaged')
    return new ApiError('model_damaged', error.message, { headers: { 'x-should-retry': 'false' } });
  const refusal = REFUSALS[error.code as ErrorCode];
  if (refusal === undefined) return error;
  const options =
    refusal === 'request'
      ? { param: error.part ? { logitBias: 'logit_bias', tools: 'tools', json }[error.part] : conversation }
      : { headers: { 'retry-after': `${refusal}` } };
  return new ApiError(error.code as ErrorCode, error.message, options);
}
