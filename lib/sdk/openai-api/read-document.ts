// Reads JSON documents from a server with OpenAI's API.
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
