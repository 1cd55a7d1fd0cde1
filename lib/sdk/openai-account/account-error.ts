// What went wrong between svc and an account, for people to read. Never holds the key.

type AccountErrorKind =
  /** The key, or what it may do. */
  | 'denied'
  | 'missing'
  /** Worth another try later: limits, an overloaded server, no network. */
  | 'unavailable'
  /** The request will be refused again. */
  | 'refused'
  /** Not the API's format. */
  | 'unexpected';

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly kind: AccountErrorKind;

  constructor(kind: AccountErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export function isKind(error: unknown, ...kinds: AccountErrorKind[]): error is AccountError {
  return error instanceof AccountError && kinds.includes(error.kind);
}
