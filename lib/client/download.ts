// Downloads a body over several connections if needed: when one breaks off, the next resumes.
import type { Clock } from '../clock/index.js';
import { ApiError } from '../contract/index.js';
import { createBackoff, isFinalError } from './retry.js';
import { limitSilence, readWithin } from './time-limits.js';

interface DownloadOptions {
  /** The longest wait for the next bytes of a connection. */
  idleMs: number;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

/** Sends the request with these headers besides its own. */
type Open = (headers: Readonly<Record<string, string>>) => Promise<Response>;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** How many connections may bring nothing, one after the other. */
const MOST_STANDSTILLS = 4;
const CHANGED = { status: 412, type: 'invalid_request_error', code: 'unexpected_response' } as const;

/**
 * The first response, with all of its body. Goes on only as long as the server says, by an ETag, that it is the same; a server
 * that always sends all of it is read again up to where the last connection ended.
 */
export async function download(open: Open, options: DownloadOptions): Promise<Response> {
  const { idleMs, clock } = options;
  const first = await open({});
  const { status, statusText, headers } = first;
  const etag = headers.get('etag');
  if (!first.body || etag === null) return limitSilence(first, idleMs, clock);
  const bytes = Number(headers.get('content-length') ?? Number.NaN);
  const backoff = createBackoff({ firstMs: 250, longestMs: 4000 });
  const unwanted = new AbortController();
  const signal = AbortSignal.any([unwanted.signal, ...(options.signal ? [options.signal] : [])]);
  let reader: Reader | null = first.body.getReader();
  let [have, repeated, standstills] = [0, 0, 0];

  async function reopen(known: string): Promise<Reader> {
    const next = await open({ range: `bytes=${have}-`, 'if-range': known });
    if (next.body && next.headers.get('etag') === known && !signal.aborted) {
      repeated = next.status === 206 ? 0 : have;
      return next.body.getReader();
    }
    await next.body?.cancel();
    throw new ApiError(CHANGED, 'What was downloaded has changed meanwhile. Download it again.');
  }

  /** The next bytes that are not there yet; null at the end. */
  async function read(known: string): Promise<Uint8Array | null> {
    for (;;) {
      try {
        reader ??= await reopen(known);
        const { done, value } = await readWithin(reader, idleMs, clock);
        if (done) return null;
        const news = value.subarray(Math.min(repeated, value.length));
        repeated -= value.length - news.length;
        if (news.length === 0) continue;
        have += news.length;
        standstills = 0;
        backoff.reset();
        return news;
      } catch (error) {
        reader?.cancel(error).catch(() => {});
        reader = null;
        if (have === bytes) return null;
        if (isFinalError(error) || ++standstills > MOST_STANDSTILLS) throw error;
        await clock.sleep(backoff.next(), signal);
      }
    }
  }

  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const news = await read(etag);
        if (news) controller.enqueue(news);
        else controller.close();
      },
      async cancel(reason) {
        unwanted.abort(reason);
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, statusText, headers });
}
