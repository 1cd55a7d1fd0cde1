// Maps engine errors to API errors that callers may see. All others go only to the log.
import { ApiError } from '../contract/index.js';
import { DatasetError, EngineError, type FileReader, NoTemplateError } from '../engine/index.js';
import { adapterDamaged } from './artifacts/find-adapter.js';

/** Engine errors caused by the request. */
const REFUSALS: ReadonlySet<EngineError['code']> = new Set([
  'invalid_value',
  'context_length_exceeded',
  'tool_use_failed',
]);

/** The request fields that the engine may refuse. */
export interface FieldNames {
  conversation: string;
  /** The schema for the answer. */
  json?: string;
  tools?: string;
}

/** Returns the `ApiError` if the engine refused a request with these fields; returns other errors unchanged. */
export function toApiError(
  error: unknown,
  { conversation, json = conversation, tools = 'tools' }: FieldNames,
): unknown {
  if (!(error instanceof EngineError)) return error;
  if (error.code === 'adapter_damaged') return adapterDamaged();
  if (error.code === 'model_damaged')
    return new ApiError('model_damaged', error.message, { headers: { 'x-should-retry': 'false' } });
  if (!REFUSALS.has(error.code)) return toPassingFault(error) ?? error;
  const param = error.part ? { logitBias: 'logit_bias', tools, json }[error.part] : conversation;
  return new ApiError(error.code, error.message, { param });
}

/** What a caller may see of an error that ends an answer midway. */
export const toShown = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('internal_error', 'Something went wrong on our side.');

/** When to retry if the error does not say. */
const RETRY_MS: Readonly<Partial<Record<EngineError['code'], number>>> = {
  engine_busy: 1000,
  engine_unavailable: 5000,
};

/** A transient fault, with when to retry. Null for permanent faults. */
function toPassingFault({ code, message, retryMs = RETRY_MS[code] }: EngineError): ApiError | null {
  if (retryMs === undefined) return null;
  const headers = {
    'retry-after': `${Math.ceil(retryMs / 1000)}`,
    'retry-after-ms': `${Math.ceil(retryMs)}`,
  };
  return new ApiError(code, message, { headers });
}

/** Errors from reading files for requests: too much work is waiting, or the files cannot be read or used. */
export function answerRefusals(reader: FileReader): FileReader {
  return {
    run: (kind, input, asked) =>
      reader.run(kind, input, asked).catch(error => {
        throw toAnswer(error);
      }),
    get load() {
      return reader.load;
    },
    close: () => reader.close(),
  };
}

function toAnswer(error: unknown): unknown {
  if (error instanceof DatasetError) return new ApiError('dataset_invalid', error.message, { cause: error });
  if (error instanceof NoTemplateError)
    return new ApiError('dataset_invalid', error.message, { cause: error });
  return (error instanceof EngineError && toPassingFault(error)) || error;
}
