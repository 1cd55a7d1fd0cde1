// Answers one request of a batch by the operation that answers callers, and writes it as a line of the output. What passes,
// such as a full queue or an engine that restarts, is waited out; any other error is the answer.
import type { Clock } from '../../../clock/index.js';
import { ApiError, type BatchLine } from '../../../contract/index.js';
import { errorResponse, isUnexpected } from '../../../http/index.js';
import { doubled, untilAborted } from '../../../system/index.js';
import type { CloudLogLine } from '../../deps.js';
import { newId } from '../../openai-values.js';
import type { Backend } from '../../seams/backend.js';
import { toStorageFault } from '../../store/storage-fault.js';
import type { BatchResult } from './result-log.js';

/** Runs an operation with this body. Throws an `ApiError` where a caller would get one. */
export type Operate = (body: Record<string, unknown>, signal: AbortSignal) => Promise<Response>;

export interface AnswerContext {
  backend: Pick<Backend, 'state'>;
  clock: Clock;
  log: (line: CloudLogLine) => void;
  /** A mutex of all batches, for requests that may have ended the engine's process. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Why a batch stops before its last request. The requests that are left get this as their error. */
export class BatchStop extends Error {
  readonly code: 'batch_cancelled' | 'batch_expired';

  constructor(code: BatchStop['code']) {
    super(code === 'batch_expired' ? EXPIRED : CANCELED);
    this.code = code;
  }
}

const EXPIRED = 'This request was not answered within 24 hours.';
const CANCELED = 'The batch was canceled before this request was answered.';

const WAITS = { firstMs: 1000, longestMs: 60_000 };
/**
 * A request that ends the engine's process would otherwise be tried for a day. Those that were computed beside it are tried one at
 * a time: only one of them is to blame.
 */
const MOST_CRASHES = 5;

/** Throws the signal's reason once it is aborted. */
export async function answerLine(
  context: AnswerContext,
  operate: Operate,
  line: BatchLine,
  signal: AbortSignal,
): Promise<BatchResult> {
  let crashes = 0;
  for (let tries = 0; ; tries++) {
    const ask = () => tryOnce(context, operate, line, signal);
    const { response, isCrash } = await (crashes === 0 ? ask() : untilAborted(context.alone(ask), signal));
    if (response instanceof Response) return toResult(line, response);
    if (isCrash) crashes++;
    if (crashes === MOST_CRASHES) return toResult(line, errorResponse(response));
    await context.clock.sleep(doubled(tries, WAITS), signal);
  }
}

/** What only callers who wait can use. */
const ONLY_AT_ONCE = ['stream', 'background'];

const PASSING: ReadonlySet<string> = new Set([
  'engine_busy',
  'engine_unavailable',
  'storage_unavailable',
  // Its requests may continue one conversation.
  'conversation_locked',
]);

/** The error for a caller if it passes, so that the same can be tried again; null for all others. */
export function toPassing(error: unknown): ApiError | null {
  const known = toStorageFault(error) ?? error;
  return known instanceof ApiError && PASSING.has(known.code) ? known : null;
}

interface Try {
  /** The answer, or an error that passes. */
  response: Response | ApiError;
  /** The engine's process may have ended because of it. */
  isCrash?: boolean;
}

async function tryOnce(
  { backend, log }: AnswerContext,
  operate: Operate,
  { body }: BatchLine,
  signal: AbortSignal,
): Promise<Try> {
  // An engine that has already failed or hung refuses all requests.
  const couldAnswer = backend.state === 'ready' || backend.state === 'starting';
  try {
    signal.throwIfAborted();
    for (const field of ONLY_AT_ONCE) if (body[field] === true) throw notInBatch(field);
    return { response: await operate(body, AbortSignal.any([signal])) };
  } catch (error) {
    signal.throwIfAborted();
    const passing = toPassing(error);
    if (passing) return { response: passing, isCrash: couldAnswer && passing.code === 'engine_unavailable' };
    if (isUnexpected(error)) log({ message: 'A request of a batch failed.', error });
    return { response: errorResponse(error) };
  }
}

function notInBatch(param: string): ApiError {
  return new ApiError('unsupported_parameter', `\`${param}\` is not possible in a batch; leave it out.`, {
    param,
  });
}

async function toResult({ custom_id }: BatchLine, response: Response): Promise<BatchResult> {
  const answer = { status_code: response.status, request_id: newId('req_'), body: await response.json() };
  return { id: newId('batch_req_'), custom_id, response: answer, error: null };
}

/** The line of a request that is not answered any more. */
export function toUnanswered({ custom_id }: BatchLine, { code, message }: BatchStop): BatchResult {
  return { id: newId('batch_req_'), custom_id, response: null, error: { code, message } };
}
