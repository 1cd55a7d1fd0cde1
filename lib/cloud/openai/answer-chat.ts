// Answers a chat with one document or a stream of events. If the caller leaves, generation stops.
import { randomUUID } from 'node:crypto';
import { ApiError, type ChatCompletionRequest } from '../../contract/index.js';
import { EngineError } from '../../engine/index.js';
import {
  comesWithin,
  type EventWriter,
  eventStream,
  STREAM_TIMES,
  type StreamTimes,
} from '../../http/index.js';
import type { CloudLogLine } from '../deps.js';
import type { ServedModel } from '../inference/served-model.js';
import type { InferenceBackend } from '../seams/backend.js';
import { type AnswerEvent, type AnswerFormat, chatFormat } from './answer-format.js';
import { toChatTasks } from './chat-task.js';
import { generateChoices } from './choices.js';
import type { Head } from './documents.js';
import { toApiError } from './engine-refusal.js';

interface AnswerDeps {
  backend: InferenceBackend;
  log: (line: CloudLogLine) => void;
  now: () => Date;
  times?: Pick<StreamTimes, 'pingMs' | 'statusMs'>;
}

/**
 * Throws if the engine refuses soon; a later error becomes the stream's last event. By default, the answer is a chat
 * completion.
 */
export type AnswerChat = (
  asked: ChatCompletionRequest,
  served: ServedModel,
  caller: AbortSignal,
  toFormat?: ToFormat,
) => Promise<Response>;

type ToFormat = (asked: ChatCompletionRequest, head: Head) => AnswerFormat;

export function createAnswerChat({ backend, log, now, times = STREAM_TIMES }: AnswerDeps): AnswerChat {
  async function answer(
    asked: ChatCompletionRequest,
    served: ServedModel,
    caller: AbortSignal,
    format: AnswerFormat,
  ) {
    const clientGone = new AbortController();
    const tasks = toChatTasks(asked, served);
    const pieces = generateChoices(backend, tasks, AbortSignal.any([caller, clientGone.signal]));
    if (!asked.stream) return Response.json(await format.collect(pieces));
    return stream(format, format.events(pieces), clientGone, served);
  }

  async function stream(
    format: AnswerFormat,
    events: AsyncGenerator<AnswerEvent>,
    clientGone: AbortController,
    served: ServedModel,
  ) {
    const first = events.next();
    const isQuick = await comesWithin(times.statusMs, first);
    const write = async (writer: EventWriter) => {
      writer.signal.addEventListener('abort', () => clientGone.abort(writer.signal.reason), { once: true });
      try {
        await sendAll(writer, await first, events);
      } catch (error) {
        if (writer.signal.aborted) return;
        await noteDamage(error, served);
        await writer.send(format.failure(note(toApiError(error, format.conversation))));
      } finally {
        clientGone.abort();
        await events.return(undefined);
      }
    };
    return eventStream(write, { pingMs: times.pingMs, pingNow: !isQuick });
  }

  function note(error: unknown): unknown {
    if (!(error instanceof ApiError)) log({ message: 'A response failed mid-stream.', error });
    return error;
  }

  /** The engine's message names files, so it goes only to the log. */
  async function noteDamage(error: unknown, { noteDamage }: ServedModel): Promise<void> {
    if (!(error instanceof EngineError) || error.code !== 'adapter_damaged') return;
    log({ message: `An adapter cannot be used: ${error.message}` });
    await noteDamage?.();
  }

  return async (asked, served, caller, toFormat = chatFormat) => {
    const format = toFormat(asked, toHead(served, now()));
    try {
      return await answer(asked, served, caller, format);
    } catch (error) {
      await noteDamage(error, served);
      throw toApiError(error, format.conversation);
    }
  };
}

async function sendAll(
  { send }: EventWriter,
  first: IteratorResult<AnswerEvent>,
  events: AsyncGenerator<AnswerEvent>,
): Promise<void> {
  for (let next = first; !next.done; next = await events.next()) await send(next.value);
}

function toHead({ name, fingerprint }: ServedModel, now: Date): Head {
  return {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(now.getTime() / 1000),
    model: name,
    system_fingerprint: fingerprint,
  };
}
