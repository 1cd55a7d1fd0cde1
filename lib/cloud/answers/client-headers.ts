// Response headers for OpenAI's and Anthropic's clients: the request's ID, how long it took, and how full
// the queue is. Errors have the form that the client knows.
import type { Clock } from '../../clock/index.js';
import type { OfferedRoute } from '../../contract/index.js';
import type { QueueState } from '../seams/queue.js';
import { toMessagesRefusal } from './messages.js';

/** The only version of OpenAI's API. */
const OPENAI_VERSION = '2020-10-01';

/** Headers that the clients read, so pages may, too. */
export const CLIENT_HEADERS = [
  'x-request-id',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'openai-processing-ms',
  'openai-version',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'anthropic-ratelimit-requests-limit',
  'anthropic-ratelimit-requests-remaining',
  'anthropic-ratelimit-requests-reset',
  'svc-target',
] as const;

type ClientHeader = (typeof CLIENT_HEADERS)[number];

/** Operations that take a place in the queue. */
const QUEUED: ReadonlySet<string> = new Set<OfferedRoute>([
  'completeChat',
  'createResponse',
  'createCompletion',
  'createEmbeddings',
  'createMessage',
]);

interface Answered {
  /** Missing if the request was refused before it was known. */
  operation?: string | undefined;
  isAnthropic: boolean;
  /** In the clock's `elapsed`. */
  startedAt: number;
  queue: { state: QueueState | null };
  clock: Pick<Clock, 'now' | 'elapsed'>;
}

/** Anthropic's clients name their API's version in each request. */
export function isFromAnthropic({ headers }: Request): boolean {
  return headers.has('anthropic-version');
}

export async function toClientResponse(
  response: Response,
  { operation = '', isAnthropic, startedAt, queue, clock }: Answered,
): Promise<Response> {
  const told = isAnthropic && !response.ok ? await toMessagesRefusal(response) : response;
  const state = QUEUED.has(operation) ? queue.state : null;
  const headers = isAnthropic
    ? toAnthropicHeaders(told.headers.get('x-request-id'), state, clock)
    : toOpenAiHeaders(clock.elapsed() - startedAt, state);
  for (const [name, value] of Object.entries(headers)) told.headers.set(name, value);
  return told;
}

type Headers = Partial<Record<ClientHeader, string>>;

function toOpenAiHeaders(tookMs: number, state: QueueState | null): Headers {
  return {
    'openai-version': OPENAI_VERSION,
    'openai-processing-ms': `${Math.round(tookMs)}`,
    ...(state && {
      'x-ratelimit-limit-requests': `${state.places}`,
      'x-ratelimit-remaining-requests': `${state.free}`,
      'x-ratelimit-reset-requests': toDuration(state.resetMs),
    }),
  };
}

function toAnthropicHeaders(id: string | null, state: QueueState | null, clock: Pick<Clock, 'now'>): Headers {
  return {
    ...(id !== null && { 'request-id': id }),
    ...(state && {
      'anthropic-ratelimit-requests-limit': `${state.places}`,
      'anthropic-ratelimit-requests-remaining': `${state.free}`,
      'anthropic-ratelimit-requests-reset': new Date(clock.now() + state.resetMs).toISOString(),
    }),
  };
}

/** As OpenAI writes it: `850ms`, `12.5s`, `1m30s`. @internal */
export function toDuration(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)}ms`;
  const tenths = Math.ceil(ms / 100);
  const minutes = Math.floor(tenths / 600);
  const seconds = `${(tenths % 600) / 10}s`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}
