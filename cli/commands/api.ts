// svc api METHOD PATH: calls this project's running Studio and streams the response.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { patientFetch } from '../../lib/client/node.js';
import { realClock } from '../../lib/clock/index.js';
import { ApiError, readEnvelope, STUDIO_TOKEN_HEADER, type StudioFile } from '../../lib/contract/index.js';
import { findStudio } from '../../lib/sdk/index.js';
import { CommandError, type Io, type RunCommand, UsageError } from '../command.js';
import { print } from '../print.js';
import { toSafeText } from '../style.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

/** No limit: an answer of a model takes as long as it takes. */
const SLOW_MS = 10_000;

export const run: RunCommand = async ({ positionals: [typed = '', path = ''], values, io, note }) => {
  const method = typed.toUpperCase();
  if (!METHODS.includes(method)) throw new UsageError(`"${typed}" is not an HTTP method.`);
  if (!path.startsWith('/')) throw new UsageError(`"${path}" must start with a slash, as in /api/jobs.`);
  if (values.data !== undefined && (method === 'GET' || method === 'HEAD'))
    throw new UsageError(`${method} does not take "--data".`);
  const body = typeof values.data === 'string' ? await readBody(values.data, io) : undefined;
  const studio = await findStudio(io.cwd);
  const slow = (io.clock ?? realClock).after(SLOW_MS, () =>
    note(`Studio at ${studio.url} has not answered for ${SLOW_MS / 1000} s. Still waiting.`),
  );
  const response = await call(studio, method, path, body).finally(slow.stop);
  const text = await pass(response, io);
  if (response.ok || response.status === 304) return;
  throw new CommandError(describe(response.status, text));
};

/**
 * Appends the path as text: resolved as a URL, a path that starts with two slashes would lead to another
 * host.
 */
async function call({ url, token }: StudioFile, method: string, path: string, body: string | undefined) {
  try {
    return await patientFetch(new URL(url).origin + path, {
      method,
      headers: {
        [STUDIO_TOKEN_HEADER]: token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
  } catch (cause) {
    const what = `Studio at ${url} is not responding. Is "svc dev" still running?`;
    throw cause instanceof TypeError && cause.cause === undefined
      ? new CommandError(`Could not send the request: ${cause.message}`)
      : new ApiError('studio_unreachable', what, { cause });
  }
}

/**
 * Streams the body. Returns the full text of an error; of any other body, which may be long, only the end.
 */
async function pass(response: Response, { stdout }: Io): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  const read = (part: string) => {
    if (stdout.isTTY && part !== '') print(stdout, toSafeText(part));
    text = response.ok ? part.slice(-1) || text : text + part;
  };
  for await (const bytes of response.body ?? []) {
    // Programs get the unmodified bytes.
    if (!stdout.isTTY) stdout.write(bytes);
    read(decoder.decode(bytes, { stream: true }));
  }
  read(decoder.decode());
  if (stdout.isTTY && text !== '' && !text.endsWith('\n')) print(stdout, '\n');
  return text;
}

function describe(status: number, text: string): string {
  return `${readEnvelope(parse(text), status)?.message ?? 'The request failed.'} (status ${status})`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

type BodySource = Pick<Io, 'stdin' | 'cwd'>;

/** `--data`: the body itself, `@FILE` to read a file, `@-` to read stdin. Only valid JSON is sent. */
async function readBody(data: string, source: BodySource): Promise<string> {
  const body = await readText(data, source);
  try {
    JSON.parse(body);
    return body;
  } catch (error) {
    throw new UsageError(`"--data" is not JSON: ${(error as Error).message}.`);
  }
}

async function readText(data: string, { stdin, cwd }: BodySource): Promise<string> {
  if (!data.startsWith('@')) return data;
  const name = data.slice(1);
  if (name === '') throw new UsageError('"--data @" needs a file name.');
  if (name === '-') {
    if (!stdin) throw new CommandError('Nothing was piped in.');
    return readAll(stdin);
  }
  return readFile(resolve(cwd, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Cannot read ${resolve(cwd, name)} (${error.code}).`);
  });
}
