// Answers with one document or a stream of events. If the caller leaves, generation stops.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock/index.js';
import { ApiError, type ChatCompletionRequest } from '../../contract/index.js';
import { EngineError, type Piece } from '../../engine/index.js';
import {
  comesWithin,
  type EventWriter,
  errorData,
  eventStream,
  STREAM_TIMES,
  type StreamTimes,
} from '../../http/index.js';
import type { CloudLogLine } from '../deps.js';
import { type FieldNames, toApiError } from '../engine-faults.js';
import { type AnswerWatch, watched } from '../kept-requests/watch-answers.js';
import type { InferenceBackend } from '../seams/backend.js';
import { type ChoicePiece, type Generated, type Generation, generateChoices } from './choices.js';
import { collectCompletion, type Head, toChunks } from './documents.js';
import type { ServedModel } from './models.js';

export interface AnswerDeps {
  backend: InferenceBackend;
  log: (line: CloudLogLine) => void;
  clock: Clock;
  times?: Pick<StreamTimes, 'pingMs' | 'statusMs'>;
}

interface Asked<K extends Generation> {
  kind: K;
  tasks: readonly Generated[K]['task'][];
  stream: boolean;
  /** Sees the pieces before they are written. */
  watch?: AnswerWatch | undefined;
}

/** Throws if the engine refuses soon; a later error becomes the stream's last event. */
export type Answer = <K extends Generation>(
  asked: Asked<K>,
  served: ServedModel,
  caller: AbortSignal,
  toFormat: (head: Head) => AnswerFormat<Generated[K]['output']>,
) => Promise<Response>;

export function createAnswer({ backend, log, clock, times = STREAM_TIMES }: AnswerDeps): Answer {
  async function answer<K extends Generation>(
    { kind, tasks, stream: isStream, watch }: Asked<K>,
    served: ServedModel,
    caller: AbortSignal,
    format: AnswerFormat<Generated[K]['output']>,
  ) {
    const clientGone = new AbortController();
    const either = AbortSignal.any([caller, clientGone.signal]);
    const generated = generateChoices(backend, kind, tasks, either);
    const pieces = watch ? watched(generated, watch, either) : generated;
    if (!isStream) return Response.json(await format.collect(pieces));
    return stream(format, format.events(pieces), clientGone, served);
  }

  async function stream(
    format: Pick<AnswerFormat, 'fields' | 'failure'>,
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
        await noteDamage(error, served, log);
        await writer.send(format.failure(note(toApiError(error, format.fields))));
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

  return async (asked, served, caller, toFormat) => {
    const format = toFormat(toHead(served, clock));
    try {
      return await answer(asked, served, caller, format);
    } catch (error) {
      await noteDamage(error, served, log);
      throw toApiError(error, format.fields);
    }
  };
}

/** The engine's message names files, so it goes only to the log. */
export async function noteDamage(
  error: unknown,
  { noteDamage: note }: ServedModel,
  log: AnswerDeps['log'],
): Promise<void> {
  if (!(error instanceof EngineError) || error.code !== 'adapter_damaged') return;
  log({ message: `An adapter cannot be used: ${error.message}` });
  await note?.();
}

async function sendAll(
  { send }: EventWriter,
  first: IteratorResult<AnswerEvent>,
  events: AsyncGenerator<AnswerEvent>,
): Promise<void> {
  for (let next = first; !next.done; next = await events.next()) await send(next.value);
}

function toHead({ name, fingerprint }: ServedModel, clock: Clock): Head {
  return {
    id: randomUUID().replaceAll('-', ''),
    created: Math.floor(clock.now() / 1000),
    model: name,
    system_fingerprint: fingerprint,
  };
}

/** A Server-Sent Event. */
export interface AnswerEvent {
  event?: string;
  data: string;
}

/** How an answer is written: as one document, or as events. Each API has its own format; what generates is the same. */
export interface AnswerFormat<P = Piece> {
  fields: FieldNames;
  /** The answer as one document. */
  collect(pieces: AsyncIterable<ChoicePiece<P>>): Promise<object>;
  /** The answer as events. The first one waits until the engine has accepted the request. */
  events(pieces: AsyncIterable<ChoicePiece<P>>): AsyncGenerator<AnswerEvent>;
  /** The last event, when generation fails after the first one. Other errors than `ApiError` must not be told. */
  failure(error: unknown): AnswerEvent;
}

export function chatFormat(asked: ChatCompletionRequest, given: Head): AnswerFormat {
  const head = { ...given, id: `chatcmpl-${given.id}` };
  const includeUsage = asked.stream_options?.include_usage ?? false;
  return {
    fields: { conversation: 'messages', json: 'response_format' },
    collect: pieces => collectCompletion(head, pieces, { logprobs: asked.logprobs ?? false }),
    events: pieces => toEvents(toChunks(head, pieces, { includeUsage })),
    failure: error => ({ data: errorData(error) }),
  };
}

/** OpenAI's streams of chunks end with a mark. */
export async function* toEvents(chunks: AsyncIterable<object>): AsyncGenerator<AnswerEvent> {
  for await (const chunk of chunks) yield { data: JSON.stringify(chunk) };
  yield { data: '[DONE]' };
}
