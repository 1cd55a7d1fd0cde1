// An OpenAI account, read through its API.
import * as z from 'zod/mini';
import { patientFetch } from '../../client/node.js';
import { type Clock, realClock } from '../../clock/index.js';
import { findFault, isLoopbackHost, type Schema, type Shape } from '../../contract/index.js';
import { AccountError } from './account-error.js';
import {
  type AccountAddress,
  type AccountRequest,
  createSend,
  lostConnection,
  type SendOptions,
} from './send.js';
import { type AccountFile, type AccountJob, accountFile, accountJob, page } from './shapes.js';

export interface OpenAiAccount {
  readonly host: string;
  /** Newest first. */
  listJobs(): AsyncGenerator<AccountJob, void, undefined>;
  getJob(id: string): Promise<AccountJob>;
  /** Pages of a job's events or checkpoints as they are sent, newest first, after the one with this ID. */
  listOf(
    jobId: string,
    what: 'events' | 'checkpoints',
    after?: string,
  ): AsyncGenerator<unknown[], void, undefined>;
  getFile(id: string): Promise<AccountFile>;
  /** A file's bytes, from this one on if the server can: then the status is 206. 416 if there are none. */
  openFile(id: string, from: number): Promise<Response>;
  /** Asks a model; the response's JSON. */
  ask(path: '/chat/completions' | '/completions', body: object): Promise<unknown>;
}

interface AccountOptions extends AccountAddress {
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
  onWait?: SendOptions['onWait'] | undefined;
}

const ITEMS_PER_PAGE = 100;
/** Two million items. A server that never says that a list ends must not keep svc for ever. */
const MOST_PAGES = 20_000;
const LARGEST_DOCUMENT = 64 * 1024 ** 2;
const MOST_READS = 3;
const REREAD_MS = 1000;

export function openAccount(options: AccountOptions): OpenAiAccount {
  requireAddress(options);
  const {
    clock = realClock,
    signal = new AbortController().signal,
    // Unlike Node's own, it leaves no listener at the signal for each of thousands of requests.
    fetch = patientFetch,
    onWait = () => {},
  } = options;
  const send = createSend(options, { clock, signal, fetch, onWait });

  /** Asks again if the connection is lost within the answer. */
  async function readDocument(request: AccountRequest): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      try {
        return await readJson(await send(request), request.path);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof AccountError) throw error;
        if (tries === MOST_READS) throw lostConnection(options.baseUrl, error);
      }
      await clock.sleep(REREAD_MS, signal);
    }
  }

  async function getJson<S extends Schema>(path: string, schema: S, query = {}): Promise<Shape<S>> {
    return check(schema, await readDocument({ path, query }), path);
  }

  async function* pages(path: string, after?: string): AsyncGenerator<unknown[], void, undefined> {
    const seen = new Set<string | undefined>([after]);
    let cursor = after;
    for (let count = 0; count < MOST_PAGES; count++) {
      const { data, has_more } = await getJson(path, page, { limit: String(ITEMS_PER_PAGE), after: cursor });
      if (data.length > 0) yield data;
      if (!has_more || data.length === 0) return;
      cursor = (data.at(-1) as { id?: string } | null)?.id;
      if (seen.has(cursor)) throw new AccountError('unexpected', `The list ${path} repeats itself.`);
      seen.add(cursor);
    }
    throw new AccountError('unexpected', `The list ${path} has no end.`);
  }

  const jobPath = (id: string) => `/fine_tuning/jobs/${encodeURIComponent(id)}`;
  const filePath = (id: string) => `/files/${encodeURIComponent(id)}`;
  return {
    host: new URL(options.baseUrl).host,
    async *listJobs() {
      for await (const data of pages('/fine_tuning/jobs'))
        for (const item of data) yield check(accountJob, item, '/fine_tuning/jobs');
    },
    getJob: id => getJson(jobPath(id), accountJob),
    listOf: (jobId, what, after) => pages(`${jobPath(jobId)}/${what}`, after),
    getFile: id => getJson(filePath(id), accountFile),
    openFile: (id, from) =>
      send({
        path: `${filePath(id)}/content`,
        ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
        accept: from > 0 ? [206, 416] : [],
      }),
    ask: (path, json) => readDocument({ path, json }),
  };
}

/** Header values with other characters are refused by `fetch`, whose error would show them. */
const HEADER = /^[\x21-\x7e]+$/;

/** Throws a `TypeError` that never shows the key. */
function requireAddress({ baseUrl, apiKey, organization, project }: AccountAddress): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))))
    throw new TypeError(
      'The base URL must start with https://, or http:// on this machine, so that no one reads the key on its way.',
    );
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('The base URL must not contain a user name, a password or parameters.');
  for (const [name, value] of Object.entries({ key: apiKey, organization, project }))
    if (value !== undefined && !HEADER.test(value))
      throw new TypeError(`The ${name} has characters that it cannot have, such as blanks or line breaks.`);
}

async function readJson(response: Response, path: string): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > LARGEST_DOCUMENT) throw new AccountError('unexpected', `The answer to ${path} is too large.`);
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch {
    throw new AccountError(
      'unexpected',
      `The answer to ${path} is not JSON. Is this the address of OpenAI's API?`,
    );
  }
}

function check<S extends Schema>(schema: S, value: unknown, path: string): Shape<S> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const fault = findFault(schema, value, 'It') ?? '';
  throw new AccountError(
    'unexpected',
    `The answer to ${path} is not as OpenAI's API has it. ${fault}`.trim(),
  );
}
