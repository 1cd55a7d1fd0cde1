// Answers with one document or a stream of events. If the caller leaves, generation stops.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';
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
import { type AnswerWatch, watched } from '../kept-requests/watch-answers.js';
import type { InferenceBackend } from '../seams/backend.js';
import type { AnswerEvent, AnswerFormat } from './answer-format.js';
import { type Generated, type Generation, generateChoices } from './choices.js';
import type { Head } from './documents.js';
import { toApiError } from './engine-refusal.js';

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
