// Sends requests that create something, each with an idempotency key. If the connection is lost and nobody knows
// whether the request arrived, it is sent again and nothing is created twice.
import { ApiError, IDEMPOTENCY_KEY_HEADER, type RouteAddress } from '../contract/index.js';
import { createBackoff } from './backoff.js';
import { type CallInput, innermost, isUntrusted, type Transport } from './transport.js';

const TRIES = 4;

/** The JSON answer, parsed by `read`. A key already in the headers is kept. */
export async function askOnce<T>(
  transport: Pick<Transport, 'json' | 'clock'>,
  route: RouteAddress,
  input: CallInput,
  read: (value: unknown) => T,
): Promise<T> {
  if (!route.idempotencyKey) return transport.json(route, input, read);
  const headers = { [IDEMPOTENCY_KEY_HEADER]: crypto.randomUUID(), ...input.headers };
  const backoff = createBackoff({ firstMs: 250, longestMs: 2000 });
  let wasSent = false;
  for (let tries = 1; ; tries++) {
    try {
      return await transport.json(route, { ...input, headers }, read);
    } catch (error) {
      wasSent ||= isLost(error);
      if (tries === TRIES || !(wasSent && isUnanswered(error))) throw error;
    }
    await transport.clock.sleep(backoff.next(), input.signal);
  }
}

/** Errors before a connection was made, so the request cannot have arrived. */
const NEVER_SENT: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether the connection was lost before the whole answer arrived. Our own timeouts do not count. */
function isLost(error: unknown): boolean {
  if (!isUnanswered(error)) return false;
  const cause = error.cause as Error;
  return cause.name !== 'AbortError' && !NEVER_SENT.has(innermost(cause).code) && !isUntrusted(cause);
}

function isUnanswered(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || !(error.cause instanceof Error)) return false;
  // When a body breaks off, Node's fetch throws the first of these and ours the second.
  if (error.code === 'unexpected_response')
    return error.cause instanceof TypeError || innermost(error.cause).code === 'ECONNRESET';
  return error.code === 'cloud_unreachable' || error.code === 'studio_unreachable';
}
