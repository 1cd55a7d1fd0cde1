// One answer of an endpoint, in OpenAI's chat completions format, with retries.
import { type AskedTask, type TaskConnection, TaskError, type TaskMessage } from './types.js';

export interface Asking {
  signal?: AbortSignal | undefined;
  /** The labels to choose from. */
  labels?: readonly string[] | undefined;
  /** With the log probabilities of its tokens. */
  isScored?: boolean;
}

/** A token's text with one character for each byte: a character may take several tokens. */
export interface ScoredToken {
  bytes: string;
  logprob: number;
}

export interface Answer {
  text: string;
  isCut: boolean;
  tokens: (ScoredToken & { top: ScoredToken[] })[];
}

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

const TRIES = 4;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;
const WORTH_RETRYING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Throws a `TaskError`, or the signal's reason. */
export async function askEndpoint(
  task: AskedTask,
  connection: TaskConnection,
  messages: TaskMessage[],
  { sleep, signal, ...asking }: Asking & { sleep: Sleep },
): Promise<Answer> {
  const { baseURL, apiKey, tries = TRIES, fetch: send = fetch, headers } = connection;
  const url = `${baseURL.replace(/\/+$/, '')}/chat/completions`;
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body: JSON.stringify(toBody(task, connection, messages, asking)),
    ...(signal && { signal }),
  };
  for (let tried = 1; ; tried++) {
    let failure: TaskError;
    let waitMs = Math.min(FIRST_WAIT_MS * 2 ** (tried - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
    try {
      const response = await send(url, request);
      const text = await response.text();
      if (response.ok) return readAnswer(text, url);
      failure = refusal(response.status, text, url);
      if (!mayRetry(response)) throw failure;
      const askedMs = Number(response.headers.get('retry-after')) * 1000;
      if (askedMs > 0) waitMs = Math.min(Math.max(waitMs, askedMs), LONGEST_WAIT_MS);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TaskError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      failure = new TaskError('request_failed', `No answer from ${url}: ${reason}`, { cause: error });
    }
    if (tried >= tries) throw failure;
    await sleep(waitMs, signal);
    signal?.throwIfAborted();
  }
}

/** The most that the format allows. */
const MOST_ALTERNATIVES = 20;

function toBody(
  task: AskedTask,
  { model = task.name, temperature = 0, maxTokens, constrained = true }: TaskConnection,
  messages: TaskMessage[],
  { labels, isScored }: Asking,
): object {
  return {
    ...{ model, messages, temperature },
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(constrained && constraintOf(task, labels)),
    ...(isScored && { logprobs: true, top_logprobs: MOST_ALTERNATIVES }),
  };
}

/** Labels are plain text, for which OpenAI's format has no constraint; this one is vLLM's. */
function constraintOf({ name, kind, output }: AskedTask, labels: readonly string[] | undefined): object {
  if (kind === 'labels') return { structured_outputs: { choice: labels } };
  if (kind === 'text') return {};
  const schema = { name: name.replace(/[^\w-]+/g, '_').slice(0, 64) || 'task', schema: output, strict: true };
  return { response_format: { type: 'json_schema', json_schema: schema } };
}

function mayRetry({ status, headers }: Response): boolean {
  const advice = headers.get('x-should-retry');
  return advice === null ? WORTH_RETRYING.has(status) : advice === 'true';
}

const SHOWN = 200;

function refusal(status: number, text: string, url: string): TaskError {
  let reason = text.slice(0, SHOWN);
  try {
    reason = String((JSON.parse(text) as { error: { message: unknown } }).error.message);
  } catch {
    // Not every server writes errors as OpenAI does.
  }
  return new TaskError('request_failed', `${url} answered ${status}: ${reason}`, { status });
}

interface SentToken {
  token: string;
  logprob: number;
  bytes?: number[] | null;
  top_logprobs?: SentToken[];
}

interface SentChoice {
  message?: { content?: string | null; refusal?: string | null };
  finish_reason?: string;
  logprobs?: { content?: SentToken[] | null } | null;
}

function readAnswer(text: string, url: string): Answer {
  let choice: SentChoice | undefined;
  try {
    choice = (JSON.parse(text) as { choices: SentChoice[] }).choices[0];
  } catch {
    // Reported below.
  }
  const content = choice?.message?.content;
  if (typeof content !== 'string') {
    const why = choice?.message?.refusal ?? 'the response has no text';
    throw new TaskError('request_failed', `${url} did not answer with a chat completion: ${why}.`);
  }
  const tokens = (choice?.logprobs?.content ?? []).map(token => ({
    ...toScored(token),
    top: (token.top_logprobs ?? []).map(toScored),
  }));
  return { text: content, isCut: choice?.finish_reason === 'length', tokens };
}

function toScored({ token, bytes, logprob }: SentToken): ScoredToken {
  return { bytes: bytes ? toBinary(bytes) : bytesOf(token), logprob };
}

function toBinary(bytes: Iterable<number>): string {
  return Array.from(bytes, byte => String.fromCharCode(byte)).join('');
}

/** The text's UTF-8 bytes, as characters. */
export const bytesOf = (text: string): string => toBinary(new TextEncoder().encode(text));
