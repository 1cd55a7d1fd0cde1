// Reads JSON documents from a server with OpenAI's API, and what a model answered in them.
import type { Clock } from '../../clock/index.js';
import { OpenAiError } from './openai-error.js';
import { type ApiRequest, lostConnection, type Send } from './send.js';

const LARGEST_DOCUMENT = 64 * 1024 ** 2;
const MOST_READS = 3;
const REREAD_MS = 1000;

interface ReadOptions {
  baseUrl: string;
  clock: Clock;
  signal: AbortSignal;
}

/** The function that it returns asks again if the connection is lost within the answer. */
export function createReadDocument(send: Send, { baseUrl, clock, signal }: ReadOptions) {
  return async (request: ApiRequest): Promise<unknown> => {
    for (let tries = 1; ; tries++) {
      const response = await send(request);
      try {
        return await readJson(response, request.path);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof OpenAiError) throw error;
        if (tries === MOST_READS) throw lostConnection(baseUrl, error);
      }
      await clock.sleep(REREAD_MS, signal);
    }
  };
}

async function readJson(response: Response, path: string): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > LARGEST_DOCUMENT) throw new OpenAiError('unexpected', `The answer to ${path} is too large.`);
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch {
    throw new OpenAiError(
      'unexpected',
      `The answer to ${path} is not JSON. Is this the address of OpenAI's API?`,
    );
  }
}

interface ModelAnswer {
  /** Null if the model called tools, or was refused an answer. */
  answer: string | null;
  toolCalls?: unknown[];
  finishReason: string | null;
  usage: unknown;
  /** Of the tokens of its text, as the API has them, if they were asked for. */
  logprobs?: unknown;
}

/** The first choice of a response in OpenAI's chat or completions format. */
export function readAnswer(response: unknown): ModelAnswer {
  const { choices, usage } = (response ?? {}) as { choices?: unknown; usage?: unknown };
  if (!Array.isArray(choices) || choices.length === 0)
    throw new OpenAiError('unexpected', 'The answer of the model has no choices.');
  const choice = choices[0] as {
    text?: unknown;
    finish_reason?: unknown;
    message?: { content?: unknown; tool_calls?: unknown } | null;
    logprobs?: { content?: unknown } | null;
  } | null;
  const content = choice?.message?.content ?? choice?.text;
  const calls = choice?.message?.tool_calls;
  return {
    answer: typeof content === 'string' ? content : null,
    ...(Array.isArray(calls) && { toolCalls: calls }),
    finishReason: typeof choice?.finish_reason === 'string' ? choice.finish_reason : null,
    usage: usage ?? null,
    ...(choice?.logprobs?.content != null && { logprobs: choice.logprobs.content }),
  };
}
