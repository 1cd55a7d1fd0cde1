// Sends requests to a server with OpenAI's API: only to its address, with back-off where the server or the network asks for it.
import { createBackoff } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import { OpenAiError } from './openai-error.js';

export interface ApiAddress {
  /** With the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  apiKey?: string | undefined;
  organization?: string | undefined;
  project?: string | undefined;
}

export interface SendOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Ends waits between tries, but no request. */
  leave?: AbortSignal | undefined;
  fetch: typeof fetch;
  /** Called before each wait, to say why nothing moves. */
  onWait(wait: { ms: number; why: string }): void;
}

export interface ApiRequest {
  /** After the base URL, encoded. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  /** Statuses that are answers, besides 200. */
  accept?: readonly number[];
}

export type Send = (request: ApiRequest) => Promise<Response>;

const RETRY = { firstMs: 500, longestMs: 60_000 };
const MOST_TRIES = 10;
/** Until the first answer: an address may simply be wrong. */
const MOST_KNOCKS = 4;
/** Waits that a server asks for are kept up to here. */
const LONGEST_WAIT_MS = 10 * 60_000;

export function createSend(address: ApiAddress, options: SendOptions): Send {
  const { clock, signal, leave, fetch, onWait } = options;
  const waiting = leave ? AbortSignal.any([signal, leave]) : signal;
  const { baseUrl, apiKey, organization, project } = address;
  const root = baseUrl.replace(/\/+$/, '');
  const own = {
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(organization && { 'openai-organization': organization }),
    ...(project && { 'openai-project': project }),
    // Sizes and ranges of files count the bytes that arrive.
    'accept-encoding': 'identity',
  };

  let hasAnswered = false;
  /** What a server asks of one request holds for all. */
  let pausedUntil = 0;

  async function pause(): Promise<void> {
    for (let ms = pausedUntil - clock.elapsed(); ms > 0; ms = pausedUntil - clock.elapsed())
      await clock.sleep(ms, waiting);
  }

  /** The response, or why another try may help. */
  async function attempt({
    path,
    query = {},
    headers,
    json,
    accept = [],
  }: ApiRequest): Promise<Response | Failure> {
    const url = new URL(`${root}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { ...own, ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      // Another address must not get the key.
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      return { error: lostConnection(root, error), afterMs: null } satisfies Failure;
    });
    hasAnswered ||= response instanceof Response;
    if (!(response instanceof Response) || response.status === 200 || accept.includes(response.status))
      return response;
    return describeFailure(response, { root, apiKey, now: clock.now() });
  }

  return async request => {
    const backoff = createBackoff(RETRY);
    for (let tries = 1; ; tries++) {
      waiting.throwIfAborted();
      await pause();
      const answer = await attempt(request);
      if (answer instanceof Response) return answer;
      const { error, afterMs } = answer;
      if (error.kind !== 'unavailable' || tries === (hasAnswered ? MOST_TRIES : MOST_KNOCKS)) throw error;
      if (afterMs !== null && afterMs > LONGEST_WAIT_MS) throw tooLong(error, afterMs);
      const ms = Math.max(backoff.next(), afterMs ?? 0);
      if (afterMs !== null) pausedUntil = Math.max(pausedUntil, clock.elapsed() + ms);
      onWait({ ms, why: error.message });
      await clock.sleep(ms, waiting);
    }
  };
}

interface Failure {
  error: OpenAiError;
  /** When the server wants to be asked again. */
  afterMs: number | null;
}

interface FailureContext {
  root: string;
  apiKey: string | undefined;
  now: number;
}

async function describeFailure(response: Response, { root, apiKey, now }: FailureContext): Promise<Failure> {
  const { status, headers } = response;
  const { code, message } = readFault(await response.text().catch(() => ''), apiKey);
  const host = new URL(root).host;
  // Another sentence may follow.
  const said = message === null ? '' : ` ${message.replace(/[\p{L}\p{N}]$/u, '$&.')}`;
  const fail = (kind: OpenAiError['kind'], text: string): Failure => ({
    error: new OpenAiError(kind, text),
    afterMs: readWait(headers, now),
  });
  if (status >= 300 && status < 400)
    return fail(
      'denied',
      `${host} redirects to another address. svc sends your key only to the one that you named.`,
    );
  if (status === 401)
    return fail(
      'denied',
      `${host} ${apiKey === undefined ? 'wants a key' : 'does not accept this key'}.${said}`,
    );
  if (status === 403) return fail('denied', `The key may not do this on ${host}.${said}`);
  if (status === 404 || status === 410) return fail('missing', message ?? `${host} does not have this.`);
  if (status === 402) return fail('denied', `The account at ${host} has no credit left.${said}`);
  if (code === 'insufficient_quota') return fail('denied', `The account has no quota left.${said}`);
  const isTransient = [408, 409, 425, 429].includes(status) || status >= 500;
  // Not refused for what it asks, even where trying again is of no use.
  if (isTransient)
    return fail(
      headers.get('x-should-retry') === 'false' ? 'unexpected' : 'unavailable',
      `${host} answered ${status}.${said}`,
    );
  return fail('refused', `${host} answered ${status}.${said}`);
}

const LONGEST_MESSAGE = 300;

/** A server may quote the key that it was sent. */
function readFault(
  body: string,
  apiKey: string | undefined,
): { code: string | null; message: string | null } {
  const asText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; message?: unknown } | null };
    const given = asText(error?.message);
    const message = (apiKey ? given?.replaceAll(apiKey, '(your key)') : given)?.slice(0, LONGEST_MESSAGE);
    return { code: asText(error?.code), message: message ?? null };
  } catch {
    return { code: null, message: null };
  }
}

/** Milliseconds, seconds or a date, as the official clients read them. */
function readWait(headers: Headers, now: number): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const given = headers.get('retry-after');
  if (given === null) return null;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return Math.max(0, 1000 * seconds);
  const at = Date.parse(given);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

function tooLong({ message }: OpenAiError, afterMs: number): OpenAiError {
  const minutes = Math.ceil(afterMs / 60_000);
  return new OpenAiError(
    'unavailable',
    `${message} It asks to wait ${minutes} minutes; run the command again then.`,
  );
}

export function lostConnection(root: string, cause: unknown): OpenAiError {
  const { code, message } = innermost(cause);
  const host = new URL(root).host;
  return new OpenAiError('unavailable', `${host} could not be reached (${code ?? message}).`, { cause });
}

function innermost(error: unknown): NodeJS.ErrnoException {
  let found = error as Error;
  while (found.cause instanceof Error) found = found.cause;
  return found;
}
