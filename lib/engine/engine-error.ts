// The engine's one error class. It loads nothing, so both the worker processes and their parents can use it.

/** Codes of the wire contract, so that a server can pass them on. */
export type EngineErrorCode =
  | 'engine_busy'
  | 'context_length_exceeded'
  | 'tool_use_failed'
  | 'invalid_value'
  | 'engine_unavailable'
  | 'adapter_damaged'
  | 'model_damaged'
  | 'internal_error';

export type RefusedPart = 'logitBias' | 'json' | 'tools';

/** A request that the engine rejects or cannot fulfill. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  /** The rejected part of the request, unless it is the conversation. */
  readonly part: RefusedPart | undefined;
  /** When to try again, if that is known. */
  retryMs: number | undefined;

  constructor(code: EngineErrorCode, message: string, part?: RefusedPart) {
    super(message);
    this.code = code;
    this.part = part;
  }
}
