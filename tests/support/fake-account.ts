// An OpenAI account on loopback, as its API answers: pages with cursors and their limits, its error envelope, files with
// ranges. A test can intercept any request, and sees all of them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export const ACCOUNT_KEY = 'sk-test-key-of-the-account';

interface AccountRequest {
  method: string;
  /** After `/v1`. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown> | null;
}

interface AccountFile {
  filename: string;
  content: string | Buffer;
  purpose?: string;
  /** What the list says, if that is not the size. */
  bytes?: number;
}

type Item = Record<string, unknown> & { id: string };

/** Returns true if it has answered. */
type Intercept = (request: AccountRequest, response: ServerResponse) => boolean | Promise<boolean>;

export type FakeAccount = Awaited<ReturnType<typeof openFakeAccount>>;

/** `into`: an object to make the account of, for tests that share one. */
export async function openFakeAccount(into: object = {}) {
  const state = Object.assign(into, {
    /** Newest first, as the API lists them. */
    jobs: [] as Item[],
    events: new Map<string, Item[]>(),
    checkpoints: new Map<string, Item[]>(),
    files: new Map<string, AccountFile>(),
    /** Whether files are sent from the middle. */
    hasRanges: true,
    answer: (body: Record<string, unknown>) => `answer to ${JSON.stringify(body.messages ?? body.prompt)}`,
    intercept: (() => false) as Intercept,
    requests: [] as AccountRequest[],
  });

  const server = createServer(async (message, response) => {
    const url = new URL(message.url!, 'http://account');
    const body = message.method === 'POST' ? ((await json(message)) as Record<string, unknown>) : null;
    const path = decodeURI(url.pathname).replace(/^\/v1/, '');
    const request = {
      method: message.method!,
      path,
      query: url.searchParams,
      headers: message.headers,
      body,
    };
    state.requests.push(request);
    if (await state.intercept(request, response)) return;
    if (message.headers.authorization !== `Bearer ${ACCOUNT_KEY}`)
      return sendError(
        response,
        401,
        'invalid_api_key',
        `Incorrect API key provided: ${message.headers.authorization?.slice(7)}.`,
      );
    respond(request, response);
  });

  function respond({ path, query, headers, body }: AccountRequest, response: ServerResponse): unknown {
    const [, kind, ...rest] = path.split('/');
    if (kind === 'fine_tuning') {
      const [, id, list] = rest;
      if (id === undefined) return sendPage(response, state.jobs, query);
      const job = state.jobs.find(known => known.id === decodeURIComponent(id));
      if (!job) return sendError(response, 404, 'fine_tune_not_found', `Could not find fine tune: ${id}`);
      if (list === undefined) return sendJson(response, job);
      const items = list === 'events' ? state.events : state.checkpoints;
      return sendPage(response, items.get(job.id) ?? [], query);
    }
    if (kind === 'files') {
      const id = decodeURIComponent(rest[0]!);
      const file = state.files.get(id);
      if (!file) return sendError(response, 404, null, `No such File object: ${id}`);
      const content = Buffer.from(file.content);
      if (rest[1] === 'content')
        return sendBytes(response, content, state.hasRanges ? headers.range : undefined);
      const { filename, purpose = 'fine-tune', bytes = content.length } = file;
      return sendJson(response, {
        id,
        object: 'file',
        bytes,
        created_at: 1_700_000_000,
        filename,
        purpose,
        status: 'processed',
      });
    }
    if (path === '/chat/completions' || path === '/completions') {
      if (!state.jobs.some(({ fine_tuned_model }) => fine_tuned_model === body!.model))
        return sendError(response, 404, 'model_not_found', `The model \`${body!.model}\` does not exist.`);
      const text = state.answer(body!);
      const choice = path === '/completions' ? { text } : { message: { role: 'assistant', content: text } };
      return sendJson(response, {
        id: 'chatcmpl-1',
        choices: [{ index: 0, finish_reason: 'stop', ...choice }],
        usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
      });
    }
    sendError(response, 404, 'unknown_url', `Unknown request URL: ${path}.`);
  }

  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/v1`,
    host: `127.0.0.1:${port}`,
    env: { OPENAI_API_KEY: ACCOUNT_KEY, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    /** How often each path was asked for, of those that match. */
    count(pattern: RegExp): Record<string, number> {
      const counts: Record<string, number> = {};
      for (const { path } of state.requests) if (pattern.test(path)) counts[path] = (counts[path] ?? 0) + 1;
      return counts;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => void server.close(resolve));
    },
  });
}

export function sendJson(response: ServerResponse, document: unknown): unknown {
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

export function sendError(
  response: ServerResponse,
  status: number,
  code: string | null,
  message: string,
  headers: Record<string, string> = {},
): unknown {
  const error = { message, type: 'invalid_request_error', param: null, code };
  return response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error }));
}

const MOST_PER_PAGE = 100;

function sendPage(response: ServerResponse, items: readonly Item[], query: URLSearchParams): unknown {
  const limit = Number(query.get('limit') ?? 20);
  if (!(limit >= 1 && limit <= MOST_PER_PAGE))
    return sendError(response, 400, 'integer_above_max_value', "Invalid 'limit'.");
  const after = query.get('after');
  const at = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== null && at === 0) return sendError(response, 400, null, `No such cursor: ${after}`);
  const data = items.slice(at, at + limit);
  sendJson(response, { object: 'list', data, has_more: at + limit < items.length });
}

function sendBytes(response: ServerResponse, content: Buffer, range: string | undefined): void {
  const from = range === undefined ? null : Number(/^bytes=(\d+)-$/.exec(range)![1]);
  if (from === null) {
    response.writeHead(200, { 'content-length': content.length }).end(content);
  } else if (from >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
  } else {
    const last = content.length - 1;
    response
      .writeHead(206, {
        'content-range': `bytes ${from}-${last}/${content.length}`,
        'content-length': content.length - from,
      })
      .end(content.subarray(from));
  }
}

/** A job that has succeeded, as the API sends it. */
export function accountJob(fields: Partial<Item> = {}): Item {
  return {
    id: 'ftjob-supervised1',
    object: 'fine_tuning.job',
    created_at: 1_740_000_000,
    finished_at: 1_740_003_600,
    model: 'gpt-4o-mini-2024-07-18',
    fine_tuned_model: 'ft:gpt-4o-mini-2024-07-18:acme:triage:A1',
    organization_id: 'org-1',
    status: 'succeeded',
    training_file: 'file-train',
    validation_file: null,
    result_files: [],
    seed: 7,
    trained_tokens: 1234,
    error: null,
    user_provided_suffix: 'triage',
    integrations: [],
    hyperparameters: { n_epochs: 3, batch_size: 1, learning_rate_multiplier: 1.8 },
    method: {
      type: 'supervised',
      supervised: { hyperparameters: { n_epochs: 3, batch_size: 1, learning_rate_multiplier: 1.8 } },
    },
    ...fields,
  };
}

export function metricEvent(id: string, step: number, data: Record<string, number>): Item {
  return {
    id,
    object: 'fine_tuning.job.event',
    created_at: 1_740_001_000 + step,
    level: 'info',
    message: `Step ${step}`,
    type: 'metrics',
    data: { step, ...data },
  };
}

export const chatRows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    messages: [
      { role: 'user', content: `hello ${from + index}` },
      { role: 'assistant', content: 'world' },
    ],
  }));

const preferenceRows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    input: { messages: [{ role: 'user', content: `hello ${index}` }], tools: [], parallel_tool_calls: true },
    preferred_output: [{ role: 'assistant', content: 'a good answer' }],
    non_preferred_output: [{ role: 'assistant', content: 'bad' }],
  }));

export const toJsonl = (rows: readonly object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('');

export const GRADER = {
  type: 'string_check',
  name: 'same',
  input: '{{sample.output_text}}',
  reference: '{{item.answer}}',
  operation: 'eq',
};

/** Three jobs, one of each method, with all that belongs to them. Newest first. */
export function fillAccount(account: Pick<FakeAccount, 'jobs' | 'events' | 'checkpoints' | 'files'>): void {
  const { jobs, events, checkpoints, files } = account;
  const dpo = { n_epochs: 2, batch_size: 2, learning_rate_multiplier: 0.5, beta: 0.2 };
  const reinforcement = { n_epochs: 1, batch_size: 4, compute_multiplier: 1, reasoning_effort: 'medium' };
  jobs.push(
    accountJob({
      id: 'ftjob-reinforced3',
      created_at: 1_742_000_000,
      finished_at: 1_742_003_600,
      model: 'o4-mini-2025-04-16',
      fine_tuned_model: 'ft:o4-mini-2025-04-16:acme:grader:C3',
      training_file: 'file-prompts',
      validation_file: 'file-prompts-held-out',
      user_provided_suffix: 'grader',
      hyperparameters: reinforcement,
      method: { type: 'reinforcement', reinforcement: { grader: GRADER, hyperparameters: reinforcement } },
    }),
    accountJob({
      id: 'ftjob-preferred2',
      created_at: 1_741_000_000,
      finished_at: 1_741_003_600,
      fine_tuned_model: 'ft:gpt-4o-mini-2024-07-18:acme:tone:B2',
      training_file: 'file-pairs',
      user_provided_suffix: 'tone',
      hyperparameters: { n_epochs: 2, batch_size: 2, learning_rate_multiplier: 0.5 },
      method: { type: 'dpo', dpo: { hyperparameters: dpo } },
    }),
    accountJob({ validation_file: 'file-held-out', result_files: ['file-results'] }),
  );
  const prompts = (count: number) =>
    toJsonl(
      Array.from({ length: count }, (_, i) => ({
        messages: [{ role: 'user', content: `count to ${i}` }],
        answer: `${i}`,
      })),
    );
  for (const [id, filename, content] of [
    ['file-train', 'train.jsonl', toJsonl(chatRows(8))],
    ['file-held-out', 'held out.jsonl', toJsonl(chatRows(4, 100))],
    ['file-pairs', 'pairs.jsonl', toJsonl(preferenceRows(8))],
    ['file-prompts', 'prompts.jsonl', prompts(6)],
    ['file-prompts-held-out', 'prompts-held-out.jsonl', prompts(3)],
  ] as const)
    files.set(id, { filename, content });
  files.set('file-results', {
    filename: 'step_metrics.csv',
    purpose: 'fine-tune-results',
    content:
      'step,train_loss,train_accuracy,valid_loss,valid_mean_token_accuracy\n1,2.5,0.4,,\n2,1.5,0.6,1.75,0.5\n3,0.5,0.9,,\n',
  });
  for (const { id } of jobs) {
    const messages = ['Fine-tuning job started', 'Created fine-tuning job'].map((message, index) => ({
      id: `ftevent-${id}-m${index}`,
      object: 'fine_tuning.job.event',
      created_at: 1_740_000_001 - index,
      level: 'info',
      message,
      type: 'message',
      data: {},
    }));
    const metrics = [4, 3, 2, 1].map(step =>
      metricEvent(`ftevent-${id}-${step}`, step, { train_loss: 4 / step, total_steps: 4 }),
    );
    events.set(id, [...metrics, ...messages]);
    checkpoints.set(id, [
      {
        id: `ftckpt-${id}`,
        object: 'fine_tuning.job.checkpoint',
        created_at: 1_740_003_000,
        fine_tuned_model_checkpoint: `ft:model:acme:x:${id}:ckpt-step-4`,
        fine_tuning_job_id: id,
        metrics: { step: 4, full_valid_loss: 0.625 },
        step_number: 4,
      },
    ]);
  }
}
