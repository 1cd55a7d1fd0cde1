// Converts engine errors that callers may see to API errors. Others go only to the log.
import { ApiError } from '../../contract/index.js';
import { EngineError } from '../../engine/index.js';
import { adapterDamaged } from '../artifacts/adapter-damage.js';
import { toPassingFault } from '../disk/passing-fault.js';

/** Those that are about the request. */
const REFUSALS: ReadonlySet<EngineError['code']> = new Set(['invalid_value', 'context_length_exceeded']);

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
  if (!REFUSALS.has(error.code)) return toPassingFault(error) ?? error;
  const param = error.part ? { logitBias: 'logit_bias', tools: 'tools', json }[error.part] : conversation;
  return new ApiError(error.code, error.message, { param });
}
