// The errors of generation. Their codes match the API's, so that a server can pass them on.

export type EngineErrorCode =
  | 'engine_busy'
  | 'context_length_exceeded'
  | 'invalid_value'
  | 'engine_unavailable'
  | 'adapter_damaged';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
