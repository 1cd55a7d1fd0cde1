// Downloads the file at a user's URL. Errors never contain the token or the URL's query.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Clock, realClock } from '../../../clock/index.js';
import { CacheError, storeDownload } from './cache-folder.js';
import {
  type BlobSource,
  codeOf,
  type DataFile,
  DatasetError,
  type DatasetOptions,
  toBaseName,
} from './dataset.js';
import { dataExtension } from './file-format.js';
import {
  AddressRefusedError,
  IdleTimeoutError,
  type PinnedOptions,
  requestPinned,
} from './pinned-request.js';

/** Only tests change these. */
export interface BlobLimits extends Partial<Pick<PinnedOptions, 'idleTimeout' | 'resolve' | 'ca'>> {
  readonly maxBytes?: number;
  /** Of the whole download. */
  readonly clock?: Clock;
}

const LONGEST_MS = 3_600_000;

export async function openBlob(
  { url: address, token }: BlobSource,
  { cacheFolder, allowPrivateAddresses = false, signal }: DatasetOptions,
  { maxBytes = 2 * 1024 ** 3, clock = realClock, idleTimeout = 60_000, ...limits }: BlobLimits = {},
): Promise<DataFile> {
  const url = parseAddress(address, token);
  const name = nameOf(url);
  const deadline = clock.deadline(LONGEST_MS);
  const until = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const options = { ...limits, idleTimeout, allowPrivateAddresses, signal: until };
  try {
    const answer = await followBlob(url, token, options);
    try {
      checkAnswer(answer, name, maxBytes);
      const download = () => limitBytes(answer.response, name, maxBytes);
      const path = await storeDownload(
        cacheFolder,
        download,
        createHash('sha256'),
        digest => `blob-${digest}`,
      );
      return { path, name: toDataName(url, answer) };
    } finally {
      answer.response.destroy();
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DatasetError || error instanceof CacheError) throw error;
    throw new DatasetError(name, deadline.aborted ? 'the download took too long' : toReason(error, url));
  }
}

function parseAddress(address: string, token: string | undefined): URL {
  if (!URL.canParse(address)) throw new DatasetError('data', 'its url is not valid');
  const url = new URL(address);
  if (url.username !== '' || url.password !== '')
    throw new DatasetError(nameOf(url), 'its url contains a user name or password; use a token instead');
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new DatasetError(nameOf(url), 'its token contains invalid characters');
  return url;
}

function checkAnswer({ response, url }: BlobResponse, name: string, maxBytes: number): void {
  const { statusCode: status = 0, headers } = response;
  const isTooLarge = Number(headers['content-length']) > maxBytes;
  if (status === 200 && !isTooLarge) return;
  if (isTooLarge && status === 200) throw tooLarge(name, maxBytes);
  const advice: Record<number, string> = {
    401: '; use a token with access to it',
    403: '; use a token with access to it, or a new URL if this one is signed',
    404: '; check the url',
  };
  throw new DatasetError(name, `${url.hostname} answered ${status}${advice[status] ?? ''}`);
}

async function* limitBytes(response: IncomingMessage, name: string, maxBytes: number) {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(name, maxBytes);
    yield chunk;
  }
}

function tooLarge(name: string, maxBytes: number): DatasetError {
  return new DatasetError(name, `larger than ${maxBytes} bytes, which is the limit`);
}

/** Does not repeat the cause's message, which may contain the URL. */
function toReason(error: unknown, url: URL): string {
  if (error instanceof AddressRefusedError) return error.message;
  if (error instanceof IdleTimeoutError) return `${url.hostname} did not answer in time`;
  return `cannot be downloaded from ${url.hostname} (${codeOf(error) ?? 'the connection failed'})`;
}

function nameOf(url: URL): string {
  const last = url.pathname.split('/').findLast(part => part !== '') ?? url.hostname;
  try {
    return toBaseName(decodeURIComponent(last));
  } catch {
    return toBaseName(last);
  }
}

const extensions: Record<string, string> = {
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/json': '.json',
  'application/jsonl': '.jsonl',
  'application/x-ndjson': '.jsonl',
};

/** A name that shows the format: that of the URL, of the redirect's target, or one made from the content type. */
function toDataName(requested: URL, { url, response }: BlobResponse): string {
  const names = [nameOf(requested), nameOf(url)];
  const type = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  return names.find(dataExtension) ?? `${names[0]}${extensions[type] ?? ''}`;
}

const maxRedirects = 5;
const redirects = [301, 302, 303, 307, 308];

interface BlobResponse {
  readonly response: IncomingMessage;
  /** The URL after all redirects. */
  readonly url: URL;
}

/**
 * Follows the redirects of a user's URL itself, to check each one and to send the token only to the first host. Returns
 * the first response that is not a redirect.
 */
async function followBlob(
  first: URL,
  token: string | undefined,
  options: Omit<PinnedOptions, 'headers'>,
): Promise<BlobResponse> {
  let url = first;
  let bearer = token;
  for (let left = maxRedirects; ; left--) {
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'svc',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    };
    const response = await requestPinned(url, { ...options, headers });
    if (!redirects.includes(response.statusCode ?? 0)) return { response, url };
    response.destroy();
    if (left === 0) throw new AddressRefusedError(`it redirects more than ${maxRedirects} times`);
    url = toTarget(response.headers.location, url);
    if (url.origin !== first.origin) bearer = undefined;
  }
}

function toTarget(location: string | undefined, from: URL): URL {
  if (location === undefined || !URL.canParse(location, from.href))
    throw new AddressRefusedError(`${from.hostname} redirects to an invalid URL`);
  return new URL(location, from);
}
