// What went wrong between svc and a server with OpenAI's API, for people to read. Never holds the key.

type OpenAiErrorKind =
  /** The key, or what it may do. */
  | 'denied'
  | 'missing'
  /** Worth another try later: limits, an overloaded server, no network. */
  | 'unavailable'
  /** The request will be refused again. */
  | 'refused'
  /** Not the API's format. */
  | 'unexpected';

export class OpenAiError extends Error {
  override readonly name = 'OpenAiError';
  readonly kind: OpenAiErrorKind;

  constructor(kind: OpenAiErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export function isKind(error: unknown, ...kinds: OpenAiErrorKind[]): error is OpenAiError {
  return error instanceof OpenAiError && kinds.includes(error.kind);
}
