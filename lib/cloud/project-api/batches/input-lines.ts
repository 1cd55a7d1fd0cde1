// The requests of a batch's file: read line by line, and checked before the first of them is answered.
import { ApiError, type BatchError, type BatchLine, parseBatchLine } from '../../../contract/index.js';
import { readJson } from '../../../http/index.js';
import { splitLines } from './split-lines.js';

/** The limits in the published format. */
export const BATCH_LIMITS = { requests: 50_000, bytes: 200 * 1024 ** 2 } as const;

/** More than a request's body may have. */
const LINE_BYTES = 5 * 1024 ** 2;
/** Of a file with more, the first ones are listed. */
const MOST_ERRORS = 100;
/** A message may quote a line, and all of them are kept with the batch. */
const MOST_CHARACTERS = 500;

/** The requests of a file that was checked. */
export async function* readRequests(body: AsyncIterable<Uint8Array>): AsyncGenerator<BatchLine> {
  for await (const { bytes } of splitLines(body, LINE_BYTES)) yield parseLine(bytes);
}

/** Within the limits of a request's body, so that no line blocks other callers. */
async function parseLine(bytes: Uint8Array | null): Promise<BatchLine> {
  if (!bytes) throw fault('invalid_json_line', `The line is longer than ${LINE_BYTES / 1024 ** 2} MiB.`);
  const headers = { 'content-type': 'application/json' };
  const body = bytes as Uint8Array<ArrayBuffer>;
  return parseBatchLine(await readJson(new Request('http://batch', { method: 'POST', headers, body })));
}

interface Checked {
  total: number;
  /** The model that all of them name; null if they name several. */
  model: string | null;
  errors: BatchError[];
}

interface CheckOptions {
  endpoint: string;
  /** Throws for a model that does not exist. */
  requireModel(model: unknown): Promise<unknown>;
}

/** Reads the whole file, or up to a hundred errors. */
export async function checkRequests(
  body: AsyncIterable<Uint8Array>,
  { endpoint, requireModel }: CheckOptions,
): Promise<Checked> {
  const ids = new Set<string>();
  const models = new Map<unknown, Promise<unknown>>();
  const errors: BatchError[] = [];

  async function check(bytes: Uint8Array | null): Promise<void> {
    const { custom_id: id, url, body } = await parseLine(bytes);
    if (ids.has(id))
      throw fault('duplicate_custom_id', 'An earlier request has the same `custom_id`.', 'custom_id');
    ids.add(id);
    if (url !== endpoint)
      throw fault('invalid_url', `\`url\` must be \`${endpoint}\`, as the batch's.`, 'url');
    const found = models.get(body.model) ?? requireModel(body.model);
    models.set(body.model, found);
    await found;
  }

  let total = 0;
  for await (const { number, bytes } of splitLines(body, LINE_BYTES)) {
    try {
      if (++total > BATCH_LIMITS.requests) throw tooMany();
      await check(bytes);
    } catch (error) {
      errors.push(toLineError(error, number));
      if (errors.length === MOST_ERRORS || total > BATCH_LIMITS.requests) break;
    }
  }
  if (total === 0) errors.push(toLineError(fault('empty_file', 'The file has no requests.'), null));
  const [model = null] = models.size === 1 ? (models.keys() as Iterable<string>) : [];
  return { total, model, errors };
}

function fault(code: string, message: string, param: string | null = null): ApiError {
  return new ApiError({ status: 400, type: 'invalid_request_error', code }, message, { param });
}

function tooMany(): ApiError {
  return fault(
    'too_many_requests',
    `A batch has at most ${BATCH_LIMITS.requests.toLocaleString('en')} requests.`,
  );
}

function toLineError(error: unknown, line: number | null): BatchError {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  const { code, message, param } = error;
  const isModel = code.startsWith('model_') || param === 'model';
  return {
    code: code === 'invalid_json' ? 'invalid_json_line' : code,
    message:
      code === 'invalid_json' ? 'The line is not valid JSON in UTF-8.' : message.slice(0, MOST_CHARACTERS),
    param: isModel ? 'body.model' : param,
    line,
  };
}
