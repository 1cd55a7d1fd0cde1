// A teacher: any server with OpenAI's API. It gets what it is asked and its own key, and no other address does.
import { createBackoff } from '../../client/index.js';
import { patientFetch } from '../../client/node.js';
import { ApiError } from '../../contract/index.js';
import type { Env } from '../files/files.js';
import { findKey, requireAddress } from '../openai-api/address.js';
import { isKind, OpenAiError } from '../openai-api/openai-error.js';
import { createReadDocument, readAnswer } from '../openai-api/read-document.js';
import { createSend, type SendOptions } from '../openai-api/send.js';
import type { KnownAnswer } from './answer-log.js';
import { readLogprobs } from './logprobs.js';
import type { DistilSettings, DistilTeacher } from './options.js';
import type { Ask } from './questions.js';
import { readUsage } from './spending.js';

interface TeacherOptions extends Omit<SendOptions, 'fetch'> {
  env: Env;
}

export interface Teacher {
  /** Throws an `ApiError` if no other request would be answered either. */
  ask(ask: Ask): Promise<KnownAnswer>;
}

const RETRY = { firstMs: 500, longestMs: 8000 };
const MOST_TRIES = 5;

export function hasFailed({ finishReason }: Pick<KnownAnswer, 'finishReason'>): boolean {
  return finishReason === 'error';
}

export function openTeacher(
  { teacher, maxTokens, soft }: DistilSettings,
  { env, ...ways }: TeacherOptions,
): Teacher {
  const baseUrl = teacher.baseURL;
  const address = { baseUrl, apiKey: findKey(teacher, env) };
  requireKey(address);
  const send = createSend(address, { ...ways, fetch: patientFetch });
  const readDocument = createReadDocument(send, { baseUrl, ...ways });
  const waiting = ways.leave ? AbortSignal.any([ways.signal, ways.leave]) : ways.signal;

  /** Asks again if the model fails within its answer, which some servers say with a status of 200. */
  async function readWhole(json: object) {
    const backoff = createBackoff(RETRY);
    for (let tries = 1; ; tries++) {
      const given = readAnswer(await readDocument({ path: '/chat/completions', json }));
      if (!hasFailed(given)) return given;
      const why = 'It broke off an answer because of an error of its own.';
      if (tries === MOST_TRIES) throw new OpenAiError('unavailable', why);
      const ms = backoff.next();
      ways.onWait({ ms, why });
      await ways.clock.sleep(ms, waiting);
    }
  }

  return {
    async ask({ key, body }) {
      const json = { ...body, max_completion_tokens: maxTokens };
      try {
        const { answer, toolCalls = [], finishReason, usage, logprobs: given } = await readWhole(json);
        const isCall = toolCalls.length > 0;
        // How a call is written is not part of an answer's tokens.
        const logprobs = soft && !isCall ? readLogprobs(given) : null;
        if (soft && !isCall && answer?.trim() && !logprobs) throw withoutLogprobs(teacher);
        return {
          ...{ key, answer, finishReason, maxTokens, tokens: readUsage(usage) },
          ...(isCall && { toolCalls }),
          ...(logprobs && { logprobs }),
        };
      } catch (error) {
        if (!isKind(error, 'refused')) throw explain(error, teacher);
        return { key, answer: null, finishReason: null, tokens: null, maxTokens, refusal: error.message };
      }
    },
  };
}

/** Never shows it. */
function requireKey(address: Parameters<typeof requireAddress>[0]): void {
  try {
    requireAddress(address);
  } catch (error) {
    throw new ApiError('dataset_invalid', `The teacher cannot be asked. ${(error as Error).message}`, {
      param: 'dataset.teacher',
    });
  }
}

function withoutLogprobs({ model }: DistilTeacher): ApiError {
  return new ApiError(
    'dataset_invalid',
    `The teacher ${model} answers without \`logprobs\`, so what it expects cannot be learned. Remove \`soft\` to learn its answers alone.`,
    { param: 'dataset.soft' },
  );
}

function explain(error: unknown, { baseURL, model }: DistilTeacher): unknown {
  if (!(error instanceof OpenAiError)) return error;
  const address = `${baseURL.replace(/\/+$/, '')}/chat/completions`;
  const message =
    error.kind === 'missing'
      ? `The teacher at ${address} does not know the model "${model}", or this is not its address. It answered: ${error.message}`
      : `The teacher does not answer. ${error.message}`;
  return new ApiError('dataset_invalid', message, { param: 'dataset.teacher', cause: error });
}
