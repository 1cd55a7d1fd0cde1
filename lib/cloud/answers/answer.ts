// Answers a text request in any format, as one document or as an event stream. Generation stops if the caller disconnects.
import type { Clock } from '../../clock/index.js';
import { ApiError, type ChatCompletionRequest, type ChatMessage } from '../../contract/index.js';
import { type Asks, EngineError, type Piece } from '../../engine/index.js';
import { type EventMessage, STREAM_TIMES, type StreamTimes, streamResponse } from '../../http/index.js';
import type { Tracer } from '../../telemetry/index.js';
import type { CloudLogLine } from '../deps.js';
import { type FieldNames, toApiError } from '../engine-faults.js';
import { newId, toSeconds } from '../openai-values.js';
import type { Backend, Question } from '../seams/backend.js';
import type { ResolvedModel } from './models.js';
import { type ChoicePiece, type Generation, generateChoices } from './pieces.js';
import { traceAnswer } from './trace-answer.js';

/** A request, independent of its format. */
export interface TextRequest<K extends Generation = Generation> {
  /** The requested model. */
  model: unknown;
  kind: K;
  /** One per answer. Answers to the same prompt are adjacent, and every prompt has the same number. */
  tasks: readonly Omit<Question<K>, 'adapter' | 'caller'>[];
  /** In the form that endpoints keep; null if the request is not kept. */
  prompts: readonly (Prompt | null)[];
  isStream: boolean;
  /** `now`: in Unix seconds. */
  format(head: Head, now: () => number): AnswerFormat<Asks[K]['output']>;
}

export interface Prompt {
  messages: ChatMessage[];
  tools?: NonNullable<ChatCompletionRequest['tools']>;
}

/** A model call, from admission to its last token: the model, the caller, and the abort signal. */
export interface ModelCall extends ResolvedModel {
  /** When many calls wait, callers take turns. */
  caller: string;
  /** Gives way to all other calls. */
  isLowPriority?: boolean;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /** For the log. */
  requestId?: string | undefined;
  /** Passes the pieces on and records them. Endpoints do. */
  record?: RecordAnswers;
}

export type RecordAnswers = <P extends ChoicePiece<Asks[Generation]['output']>>(
  pieces: AsyncIterable<P>,
  request: Pick<TextRequest, 'tasks' | 'prompts'>,
  signal: AbortSignal,
) => AsyncGenerator<P>;

/** Throws if the engine refuses soon; later errors become the stream's last event. */
export type Answer = <K extends Generation>(request: TextRequest<K>, call: ModelCall) => Promise<Response>;

export interface AnswerDeps {
  backend: Backend;
  log: (line: CloudLogLine) => void;
  clock: Clock;
  tracer?: Tracer | undefined;
  times?: Pick<StreamTimes, 'pingMs' | 'statusMs'>;
}

export function createAnswer(deps: AnswerDeps): Answer {
  const { times = STREAM_TIMES } = deps;
  return async (request, call) => {
    const clientGone = new AbortController();
    const signal = AbortSignal.any([call.signal, clientGone.signal]);
    const { format, pieces, failLate } = openAnswer(deps, request, { ...call, signal });
    try {
      if (!request.isStream) return Response.json(await format.collect(pieces()));
      return await streamResponse(format.events(pieces()), { clientGone, failLate, times });
    } catch (error) {
      throw await toRefusal(error, call, format.fields, deps.log);
    }
  };
}

type Ask<P> = (generate: () => AsyncGenerator<P>) => AsyncGenerator<P>;

/** An answer to be generated, and the format to write it in. */
export function openAnswer<K extends Generation>(
  { backend, log, clock, tracer }: Omit<AnswerDeps, 'times'>,
  request: TextRequest<K>,
  call: ModelCall,
) {
  const now = () => toSeconds(clock.now());
  const format = request.format(toHead(call, now()), now);
  const { adapter, caller, isLowPriority, signal } = call;
  const tasks = request.tasks.map(
    task => ({ ...withVariables(task, call), adapter, caller, isLowPriority }) as unknown as Question<K>,
  );

  function trace<P>(given: AsyncGenerator<ChoicePiece<P>>): AsyncGenerator<ChoicePiece<P>> {
    if (!tracer) return given;
    const { kind, model: requested } = request;
    const { name: model, requestId } = call;
    return traceAnswer(tracer, { kind, requested, model, requestId, tasks, signal }, given);
  }

  /** `ask`: may generate again if the engine refuses. All tries are one answer in the records. */
  function pieces(ask: Ask<ChoicePiece<Asks[K]['output']>> = generate => generate()) {
    const generated = trace(ask(() => generateChoices({ backend, clock }, request.kind, tasks, signal)));
    return call.record ? call.record(generated, request, signal) : generated;
  }

  /** The last event of an answer that failed after its first one. */
  async function failLate(error: unknown): Promise<EventMessage> {
    const refusal = await toRefusal(error, call, format.fields, log);
    if (!(refusal instanceof ApiError))
      log({ message: 'A response failed mid-stream.', error: refusal, requestId: call.requestId });
    return format.failure(refusal, call.requestId);
  }

  return { format, pieces, failLate };
}

/** A chat with an adapter is rendered as its rows were, unless the request says otherwise. */
export function withVariables<T extends object>(task: T, { variables }: Pick<ResolvedModel, 'variables'>): T {
  return variables && 'messages' in task
    ? { ...task, variables: { ...variables, ...(task as Partial<Question<'chat'>>).variables } }
    : task;
}

/** The error for the caller. The engine's message about an adapter names files, so it goes only to the log. */
export async function toRefusal(
  error: unknown,
  { noteDamage }: ResolvedModel,
  fields: FieldNames,
  log: AnswerDeps['log'],
): Promise<unknown> {
  if (error instanceof EngineError && error.code === 'adapter_damaged') {
    log({ message: `An adapter cannot be used: ${error.message}` });
    await noteDamage?.();
  }
  return toApiError(error, fields);
}

/** Shared by all documents of one answer. */
export interface Head {
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
  system_fingerprint: string;
}

function toHead({ name, fingerprint }: ResolvedModel, created: number): Head {
  return {
    id: newId(),
    created,
    model: name,
    system_fingerprint: fingerprint,
  };
}

/** Writes an answer as one document or as events. Each API has its own format; generation is the same for all. */
export interface AnswerFormat<P = Piece> {
  fields: FieldNames;
  /** The answer as one document. */
  collect(pieces: AsyncIterable<ChoicePiece<P>>): Promise<object>;
  /** The answer as events. The first event waits until the engine has accepted the request. */
  events(pieces: AsyncIterable<ChoicePiece<P>>): AsyncGenerator<EventMessage>;
  /** The last event if generation fails after the first one. Only an `ApiError` may be shown to the caller. */
  failure(error: unknown, requestId: string | undefined): EventMessage;
}
