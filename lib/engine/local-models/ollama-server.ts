// Registers a GGUF file with a running Ollama, over its API: the file as a blob, by its digest, then a model made of it.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { LocalModelError } from './places.js';

const DEFAULT_PORT = 11_434;

interface Target {
  /** In Ollama's own form: its name, perhaps with an owner and a tag. */
  name: string;
  /** The value of OLLAMA_HOST. */
  host: string | undefined;
  signal: AbortSignal;
}

interface Model {
  path: string;
  /** The SHA-256 of the file, in hex. */
  sha256: string;
  stops: readonly string[];
  /** Null for Ollama's own choice. */
  template: string | null;
}

interface Progress {
  /** Bytes of the file. Not called if Ollama has it. */
  onUpload(done: number, total: number): void;
  onStatus(status: string): void;
}

/**
 * Ollama takes an address without a scheme, a host or a port.
 * @internal
 */
export function toOllamaUrl(host: string | undefined): string {
  const given = (host ?? '').trim().replace(/^["']|["']$/g, '');
  const [, scheme, rest = ''] = /^(?:(https?):\/\/)?(.*)$/.exec(given)!;
  const address = isIPv6(rest)
    ? `[${rest}]`
    : rest.startsWith(':') || rest === ''
      ? `127.0.0.1${rest}`
      : rest;
  const whole = `${scheme ?? 'http'}://${address}`;
  if (!URL.canParse(whole)) throw new LocalModelError(`OLLAMA_HOST is not an address: ${given}`);
  const url = new URL(whole);
  if (!scheme && url.port === '' && !/:80$/.test(address.split('/')[0]!)) url.port = `${DEFAULT_PORT}`;
  // An address to listen on, not to connect to.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.href.replace(/\/$/, '');
}

/** Throws a `LocalModelError` unless Ollama answers there. */
export async function requireOllama({ host, signal }: Pick<Target, 'host' | 'signal'>): Promise<void> {
  const response = await ask(host, '/api/version', { signal });
  const { version } = (await readJson(response)) ?? {};
  if (response.ok && typeof version === 'string') return;
  throw new LocalModelError(
    `${toOllamaUrl(host)} is not Ollama: it answered ${response.status}. Set OLLAMA_HOST to Ollama's address.`,
  );
}

/** Replaces a model of that name. Whatever was sent before a failure is used by the next attempt. */
export async function pushToOllama(target: Target, model: Model, progress: Progress): Promise<void> {
  const digest = `sha256:${model.sha256}`;
  await sendBlob(target, model.path, digest, progress);
  const body = {
    model: target.name,
    files: { 'model.gguf': digest },
    ...(model.template !== null && { template: model.template }),
    parameters: { stop: model.stops },
    stream: true,
  };
  const response = await ask(target.host, '/api/create', {
    method: 'POST',
    signal: target.signal,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok || !response.body) throw await refusal(response);
  await followStatus(target, response.body, progress);
}

async function sendBlob(
  { host, signal }: Target,
  path: string,
  digest: string,
  { onUpload }: Progress,
): Promise<void> {
  const route = `/api/blobs/${digest}`;
  const there = await ask(host, route, { method: 'HEAD', signal });
  if (there.ok) return;
  if (there.status !== 404) throw await refusal(there);
  const { size } = await stat(path);
  async function* read() {
    let done = 0;
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES, signal })) {
      yield piece as Uint8Array;
      done += (piece as Uint8Array).length;
      onUpload(done, size);
    }
  }
  const sent = await ask(host, route, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/octet-stream', 'content-length': `${size}` },
    body: read(),
    duplex: 'half',
  });
  if (!sent.ok) throw await refusal(sent);
  await sent.body?.cancel();
}

const PIECE_BYTES = 2 ** 20;

async function ask(host: string | undefined, route: string, request: RequestInit & { duplex?: 'half' }) {
  const url = toOllamaUrl(host);
  try {
    return await fetch(`${url}${route}`, { redirect: 'error', ...request });
  } catch (cause) {
    request.signal?.throwIfAborted();
    const { code } = ((cause as Error).cause ?? {}) as { code?: string };
    const problem =
      code === 'ECONNREFUSED'
        ? `Ollama is not running at ${url}. Start it with "ollama serve", or set OLLAMA_HOST to its address.`
        : `The connection to Ollama at ${url} failed (${code ?? (cause as Error).message}). Try again.`;
    throw new LocalModelError(problem, { cause });
  }
}

async function refusal(response: Response): Promise<LocalModelError> {
  const { error } = (await readJson(response)) ?? {};
  const reason = typeof error === 'string' ? error : `status ${response.status}`;
  return new LocalModelError(`Ollama refused: ${reason}`);
}

const LONGEST_ANSWER = 2 ** 20;

async function readJson(response: Response): Promise<Record<string, unknown> | undefined> {
  const text = (await response.text()).slice(0, LONGEST_ANSWER);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Lines of JSON with a `status`, the last of which is `success`, or with an `error`. */
async function followStatus(
  { host, signal }: Target,
  body: ReadableStream<Uint8Array>,
  { onStatus }: Progress,
): Promise<void> {
  let last: unknown;
  try {
    for await (const line of readLines(body)) {
      const { status, error } = JSON.parse(line) as Record<string, unknown>;
      if (error !== undefined) throw new LocalModelError(`Ollama could not make the model: ${String(error)}`);
      if (status !== last && typeof status === 'string') onStatus(status);
      last = status;
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof LocalModelError) throw cause;
    throw unfinished(host, cause);
  }
  if (last !== 'success') throw unfinished(host);
}

function unfinished(host: string | undefined, cause?: unknown): LocalModelError {
  const problem = `Ollama at ${toOllamaUrl(host)} ended before the model was made. Try again: it keeps the file that was sent.`;
  return new LocalModelError(problem, { cause });
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split('\n');
    rest = lines.pop()!;
    if (rest.length > LONGEST_ANSWER) throw new Error('a line is too long');
    yield* lines.filter(line => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}
