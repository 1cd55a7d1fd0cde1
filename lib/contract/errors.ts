// The system's one error type: servers return it, clients throw it, and Studio passes it on unchanged.

/** Every error code, with its status. `type` follows from the status. */
export const ERROR_STATUS = {
  malformed_request: 400,
  invalid_json: 400,
  invalid_value: 400,
  unknown_field: 400,
  unsupported_parameter: 400,
  context_length_exceeded: 400,
  tool_use_failed: 400,
  project_missing: 400,
  manifest_build_failed: 400,
  state_missing: 400,
  state_invalid: 400,
  credentials_invalid: 400,
  slug_invalid: 400,
  slug_reserved: 400,
  // A field of the request names it; 404 is for what the URL names.
  target_not_found: 400,
  model_not_supported: 400,
  dataset_invalid: 400,
  adapter_invalid: 400,
  unauthenticated: 401,
  invalid_api_key: 401,
  run_token_invalid: 401,
  host_not_allowed: 403,
  studio_token_invalid: 403,
  anonymous_disabled: 403,
  origin_not_allowed: 403,
  user_not_allowed: 403,
  unknown_url: 404,
  project_not_found: 404,
  job_not_found: 404,
  key_not_found: 404,
  model_not_found: 404,
  file_not_found: 404,
  batch_not_found: 404,
  upload_not_found: 404,
  request_not_found: 404,
  evaluation_not_found: 404,
  response_not_found: 404,
  previous_response_not_found: 400,
  item_not_found: 404,
  conversation_not_found: 404,
  chat_completion_not_found: 404,
  deployment_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  train_in_flight: 409,
  attempt_over: 409,
  events_missing: 409,
  state_mismatch: 409,
  slug_taken: 409,
  project_exists: 409,
  job_in_use: 409,
  canary_changed: 409,
  target_changed: 409,
  file_in_use: 409,
  upload_conflict: 409,
  conversation_locked: 409,
  idempotency_mismatch: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  engine_busy: 429,
  headers_too_large: 431,
  internal_error: 500,
  not_writable: 500,
  cloud_unreachable: 502,
  issuer_unreachable: 502,
  unexpected_response: 502,
  engine_unavailable: 503,
  storage_unavailable: 503,
  too_many_connections: 503,
  adapter_damaged: 503,
  model_damaged: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** A client's error when Studio itself does not respond; never on the wire. */
const CLIENT_ERROR_STATUS = { studio_unreachable: 502 } as const;

export type ClientErrorCode = keyof typeof CLIENT_ERROR_STATUS;

export interface ErrorEnvelope {
  error: { message: string; type: string; code: string; param: string | null };
}

/** The error in a parsed body; null if it has no message. Other missing fields are derived from the status. */
export function readEnvelope(body: unknown, status: number): ErrorEnvelope['error'] | null {
  const { error } = (body ?? {}) as { error?: Record<keyof ErrorEnvelope['error'], unknown> };
  if (typeof error?.message !== 'string') return null;
  return {
    message: error.message,
    type: typeof error.type === 'string' ? error.type : errorType(status),
    code: typeof error.code === 'string' ? error.code : 'unexpected_response',
    param: typeof error.param === 'string' ? error.param : null,
  };
}

/** The `type` of an envelope, by status. */
export function errorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

interface ApiErrorOptions {
  param?: string | null;
  /** Response headers that belong to the error, in lowercase, such as `allow` or `retry-after`. */
  headers?: Readonly<Record<string, string>>;
  requestId?: string | null;
  cause?: unknown;
}

/** An error in wire format. Servers and clients throw it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly type: string;
  /** An `ErrorCode` or `ClientErrorCode`, or a newer server's code. */
  readonly code: string;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | null;

  constructor(code: ErrorCode | ClientErrorCode, message: string, options?: ApiErrorOptions);
  constructor(
    wire: { status: number; type: string; code: string },
    message: string,
    options?: ApiErrorOptions,
  );
  constructor(
    kind: string | { status: number; type: string; code: string },
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const { status, type, code } = typeof kind === 'string' ? wireKind(kind) : kind;
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = options.param ?? null;
    this.headers = options.headers ?? {};
    this.requestId = options.requestId ?? null;
  }

  toEnvelope(): ErrorEnvelope {
    return { error: { message: this.message, type: this.type, code: this.code, param: this.param } };
  }
}

function wireKind(code: string): { status: number; type: string; code: string } {
  const status = ({ ...ERROR_STATUS, ...CLIENT_ERROR_STATUS } as Record<string, number>)[code] ?? 500;
  return { status, type: errorType(status), code };
}
