// A typed method for each route of Studio's loopback API, for the browser, the terminal and scripts. Studio
// has the same version and has already validated the cloud's responses, so the browser need not bundle the
// schemas.
import type { Clock } from '../clock/index.js';
import {
  type ChatCompletion,
  type ChatCompletionChunk,
  type JobListChanges,
  STUDIO_TOKEN_HEADER,
  type StudioDataPreviewInput,
  type StudioRoutes,
  studioAddresses,
} from '../contract/index.js';
import { type ChatReaders, createChat } from './completion.js';
import { type FollowOptions, followEvents, readLogParts } from './event-stream.js';
import { type Call, type CallOptions, createClient, type SharedCall, sharedMethods } from './methods.js';
import { askOnce } from './retry.js';
import { limitSilence, STUDIO_TIME_LIMITS, type TimeLimits } from './time-limits.js';
import { type CallInput, createJobListReader, createTransport, type Transport } from './transport.js';

export interface StudioClientOptions {
  baseUrl: string;
  token: string;
  fetch?: typeof fetch;
  limits?: Partial<TimeLimits> | undefined;
  /** For waiting and timestamps; the real clock by default. */
  clock?: Clock | undefined;
}

export type StudioClient = ReturnType<typeof createStudioClient>;

const AS_IT_IS: ChatReaders = {
  completion: value => value as ChatCompletion,
  chunk: value => value as ChatCompletionChunk,
};

const JOB_LIST = createJobListReader(value => value as JobListChanges);

/** A client for the Studio that `svc dev` runs. */
export function createStudioClient(options: StudioClientOptions) {
  const { baseUrl, token, fetch = globalThis.fetch } = options;
  const limits = { ...STUDIO_TIME_LIMITS, ...options.limits };
  const transport = createTransport({
    baseUrl,
    headers: { [STUDIO_TOKEN_HEADER]: token },
    fetch: (input, init) => fetch(input, init),
    unreachable: { code: 'studio_unreachable', who: 'Studio', hint: 'Is `svc dev` still running?' },
    limits,
    clock: options.clock,
  });
  const usual: Partial<Record<keyof StudioRoutes, CallInput>> = {
    listJobs: { changes: JOB_LIST },
    // Measuring takes seconds to minutes.
    previewData: { answerMs: limits.workMs },
  };
  const call = ((name, input) =>
    askOnce(
      transport,
      studioAddresses[name],
      { ...usual[name], ...input },
      value => value,
    )) as Call<StudioRoutes>;
  return createClient<StudioRoutes, ReturnType<typeof ownMethods>>(
    studioAddresses,
    call,
    ownMethods(call, transport, limits),
  );
}

/** The methods that do more than pass parameters and a body. */
function ownMethods(call: Call<StudioRoutes>, transport: Transport, limits: TimeLimits) {
  return {
    ...sharedMethods(call as SharedCall),
    /** Creates an anonymous identity if there is none, unless `known`. */
    getIdentity: ({ known, ...options }: CallOptions & { known?: boolean | undefined } = {}) =>
      call('getIdentity', { query: { known: known || undefined }, ...options }),
    /** Builds the project, unless the build that a run would use is to be summarized. */
    getManifest: ({ reuse, ...options }: CallOptions & { reuse?: boolean | undefined } = {}) =>
      call('getManifest', { query: { reuse: reuse || undefined }, ...options }),
    /** Previews the project trainer's data, unless a config is given. */
    previewData: (input: StudioDataPreviewInput = {}, options?: CallOptions) =>
      call('previewData', { json: input, ...options }),
    /** The rows of the trainer's data set: JSON lines. */
    readDataRows: async (options?: CallOptions) =>
      (await transport.send(studioAddresses.readDataRows, { answerMs: limits.workMs, ...options })).blob(),
    /** Starts a run; the response body is its output. */
    startTraining: (options?: CallOptions) => transport.send(studioAddresses.startTraining, options),
    /** The run's output so far, then live. */
    streamTrainOutput: (options?: CallOptions) => transport.send(studioAddresses.streamTrainOutput, options),
    /** The events so far, in batches. A cloud may lack this route. */
    async *readJobLog(id: string, { after, signal }: CallOptions & { after?: string | undefined } = {}) {
      const input = { params: { id }, query: { after }, signal };
      const response = await transport.send(studioAddresses.readJobLog, input);
      yield* readLogParts(limitSilence(response, limits.idleMs, transport.clock));
    },
    /** Every event of the job exactly once, up to `end`, reconnecting as needed. */
    streamJobEvents: (id: string, options: FollowOptions = {}) =>
      followEvents(
        ({ after, lastEventId, signal }) =>
          transport.send(studioAddresses.streamJobEvents, {
            params: { id },
            query: { after },
            headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
            signal,
          }),
        { clock: transport.clock, ...options },
      ),
    chat: createChat(transport, studioAddresses.chat, AS_IT_IS, { limits }),
  };
}
