// An OpenAI account, read through its API.
import * as z from 'zod/mini';
import { patientFetch } from '../../client/node.js';
import { type Clock, realClock } from '../../clock/index.js';
import { findFault, type Schema, type Shape } from '../../contract/index.js';
import { requireAddress } from '../openai-api/address.js';
import { OpenAiError } from '../openai-api/openai-error.js';
import { createReadDocument } from '../openai-api/read-document.js';
import { type ApiAddress, createSend, type SendOptions } from '../openai-api/send.js';
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

interface AccountOptions extends ApiAddress {
  apiKey: string;
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
  onWait?: SendOptions['onWait'] | undefined;
}

const ITEMS_PER_PAGE = 100;
/** Two million items. A server that never says that a list ends must not keep svc busy forever. */
const MOST_PAGES = 20_000;

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

  const readDocument = createReadDocument(send, { baseUrl: options.baseUrl, clock, signal });

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
      if (seen.has(cursor)) throw new OpenAiError('unexpected', `The list ${path} repeats itself.`);
      seen.add(cursor);
    }
    throw new OpenAiError('unexpected', `The list ${path} has no end.`);
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

function check<S extends Schema>(schema: S, value: unknown, path: string): Shape<S> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const fault = findFault(schema, value, 'It') ?? '';
  throw new OpenAiError('unexpected', `The answer to ${path} is not as OpenAI's API has it. ${fault}`.trim());
}
