// Requests that create something, each under a key of its own: when the line is lost and nobody knows whether they arrived,
// they are sent again, and nothing is created twice.
import { ApiError, type Endpoint, IDEMPOTENCY_KEY_HEADER } from '../contract/index.js';
import { createBackoff, pause } from './backoff.js';
import { type Caller, type CallInput, innermost } from './caller.js';

const TRIES = 4;

/** The JSON that is answered, as `read` takes it. A key among the headers is kept. */
export async function askOnce<T>(
  caller: Pick<Caller, 'json'>,
  endpoint: Endpoint,
  input: CallInput,
  read: (value: unknown) => T,
): Promise<T> {
  if (!endpoint.idempotencyKey) return caller.json(endpoint, input, read);
  const headers = { [IDEMPOTENCY_KEY_HEADER]: crypto.randomUUID(), ...input.headers };
  const backoff = createBackoff({ firstMs: 250, longestMs: 2000 });
  let wasSent = false;
  for (let tries = 1; ; tries++) {
    try {
      return await caller.json(endpoint, { ...input, headers }, read);
    } catch (error) {
      wasSent ||= isLost(error);
      if (tries === TRIES || !(wasSent && isUnanswered(error))) throw error;
    }
    await pause(backoff.next(), input.signal);
  }
}

/** Nobody was there, so that nothing can have arrived. */
const NEVER_SENT: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether the line was cut before the whole answer had come. A time limit of ours is none: it has been waited for. */
function isLost(error: unknown): boolean {
  if (!isUnanswered(error)) return false;
  const cause = error.cause as Error;
  return cause.name !== 'AbortError' && !NEVER_SENT.has(innermost(cause).code);
}

function isUnanswered(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || !(error.cause instanceof Error)) return false;
  // Node's own fetch says one of these when a body breaks off, ours the other.
  if (error.code === 'unexpected_response')
    return error.cause instanceof TypeError || innermost(error.cause).code === 'ECONNRESET';
  return error.code === 'cloud_unreachable' || error.code === 'studio_unreachable';
}
