// Requests to a tracking server that the user named. Keys go to that address only, and into no message.
import { createBackoff } from '../client/index.js';
import type { Clock } from '../clock/index.js';
import { isLoopbackHost } from '../contract/index.js';

export interface ServerOptions {
  /** Such as `http://localhost:5000`. */
  url: string;
  /** The header `Authorization`. */
  authorization?: string | undefined;
  clock: Clock;
  signal: AbortSignal;
  fetch?: typeof fetch | undefined;
}

export interface TrackingServer {
  /** Its address, without a slash at the end. */
  readonly url: string;
  /** The JSON of the response; an error that says what was asked and answered. */
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  /** Tries again while the server cannot be reached or is busy. What is repeated must not do anything twice. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
}

/** `status` is null if there was no answer. */
export class TrackingError extends Error {
  readonly status: number | null;
  /** The error code of MLflow. */
  readonly code: string | null;

  constructor(
    message: string,
    { status, code, cause }: { status?: number; code?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'TrackingError';
    this.status = status ?? null;
    this.code = code ?? null;
  }
}

const ANSWER_MS = 60_000;
const TRIES = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
const SHOWN = 300;

/** Throws a `TypeError` that shows no key. */
export function openServer(options: ServerOptions): TrackingServer {
  const { authorization, clock, signal, fetch = globalThis.fetch } = options;
  const url = requireAddress(options.url, authorization !== undefined);

  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const late = clock.deadline(ANSWER_MS);
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        // The key must not follow to another address.
        redirect: 'manual',
        signal: AbortSignal.any([signal, late]),
        headers: {
          ...(authorization !== undefined && { authorization }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return read(await response.text(), response.status, `${url}${path.replace(/\?.*/, '')}`);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TrackingError) throw error;
      const reason = late.aborted ? `no answer for ${ANSWER_MS / 1000} s` : causeOf(error);
      throw new TrackingError(`${url} cannot be reached: ${reason}.`, { cause: error });
    }
  }

  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    const backoff = createBackoff({ firstMs: FIRST_WAIT_MS, longestMs: LONGEST_WAIT_MS });
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TrackingError) || !mayPass(error) || tries === TRIES) throw error;
      }
      await clock.sleep(backoff.next(), signal);
    }
  }

  return { url, ask, patiently };
}

function requireAddress(address: string, hasKey: boolean): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new TypeError('must be the address of a server, such as https://tracking.example.com.');
  if (url.username || url.password)
    throw new TypeError('must not contain a user name or password: they are read from the environment.');
  if (hasKey && url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw new TypeError(
      'must start with https://, or http:// on this machine, so that no one reads the key on its way.',
    );
  return url.href.replace(/\/+$/, '');
}

function read(text: string, status: number, where: string): unknown {
  let value: unknown;
  try {
    value = text === '' ? null : JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (status >= 200 && status < 300 && value !== undefined) return value;
  if (status >= 300 && status < 400)
    throw new TrackingError(`${where} answered ${status}, a redirect. Name the address that it leads to.`, {
      status,
    });
  const { error_code: code, message, error } = (value ?? {}) as Record<string, unknown>;
  const reason = [message, error, text].find(given => typeof given === 'string') as string;
  if (status < 300)
    throw new TrackingError(`${where} did not answer with JSON. Is this the address of its API?`, { status });
  throw new TrackingError(`${where} answered ${status}: ${reason.slice(0, SHOWN)}`, {
    status,
    ...(typeof code === 'string' && { code }),
  });
}

function mayPass({ status }: TrackingError): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

function causeOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
