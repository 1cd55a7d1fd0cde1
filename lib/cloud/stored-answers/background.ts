// Responses that are generated in the background: answered at once, stored, and read again until they have ended. They give
// way to all other calls, and end with the cloud's process.
import type { Clock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';
import { type EventMessage, streamResponse } from '../../http/index.js';
import { type AnswerDeps, type ModelCall, openAnswer, type TextRequest } from '../answers/answer.js';
import { askPatiently } from '../answers/patience.js';
import type { ResponseDocument } from '../answers/responses.js';
import type { StoredResponse } from './answers-db.js';
import { type OpenTurn, toStored } from './response-turns.js';
import { INTERRUPTED, type Shelf } from './stored-answers.js';

export interface BackgroundResponses {
  /** Answers with the response as it is now, queued, or with its events. Throws if it cannot be stored. */
  start(request: TextRequest<'chat'>, call: ModelCall, turn: OpenTurn, shelf: Shelf): Promise<Response>;
  /** Null if it has ended, or never began. */
  find(id: string): RunningResponse | null;
  /** Ends all of them. */
  close(): Promise<void>;
}

interface RunningResponse {
  readonly document: ResponseDocument;
  /** What is stored when it has ended. */
  readonly content: StoredResponse;
  /** Missing if its request did not ask for a stream. */
  readonly events: readonly EventMessage[] | null;
  /** Its events from this one on, also those to come. */
  follow(from: number): AsyncGenerator<EventMessage>;
  /** Resolves when it has ended and is stored. */
  cancel(): Promise<void>;
}

/** Unfinished ones per caller. */
const MOST_UNFINISHED = 100;
/** The pause before the disk is tried again. */
const RETRY_MS = 1000;

export function createBackgroundResponses(deps: AnswerDeps): BackgroundResponses {
  const running = new Map<string, BackgroundJob>();
  const count = (caller: string) => [...running.values()].filter(job => job.caller === caller).length;

  return {
    async start(request, call, turn, shelf) {
      if (count(call.caller) >= MOST_UNFINISHED) throw tooMany();
      const job = new BackgroundJob(deps, request, call, turn, shelf);
      running.set(turn.id, job);
      try {
        await job.begin();
      } catch (error) {
        running.delete(turn.id);
        throw error;
      }
      void job.ended.finally(() => running.delete(turn.id));
      return request.isStream ? sendEvents(job.follow(0)) : Response.json(job.document);
    },
    find: id => running.get(id) ?? null,
    async close() {
      await Promise.all([...running.values()].map(job => job.interrupt()));
    },
  };
}

/** A reader who leaves stops nothing. */
export function sendEvents(events: AsyncGenerator<EventMessage>): Promise<Response> {
  const failLate = (error: unknown) => {
    throw error;
  };
  return streamResponse(events, { clientGone: new AbortController(), failLate });
}

const CANCELED = new Error('Canceled.');
/** The events that carry the whole response. */
const WHOLE = /^response\.(?:created|queued|in_progress|completed|incomplete|failed)$/;

class BackgroundJob implements RunningResponse {
  document!: ResponseDocument;
  /** Resolves when it is stored, too. */
  ended: Promise<void> = Promise.resolve();
  readonly caller: string;
  readonly events: EventMessage[] | null;
  readonly #source: AsyncGenerator<EventMessage>;
  readonly #failLate: (error: unknown) => Promise<EventMessage>;
  readonly #turn: OpenTurn;
  readonly #shelf: Shelf;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #closed = new AbortController();
  #generated: Promise<void> = Promise.resolve();
  #hasEnded = false;
  #waiting: (() => void)[] = [];

  constructor(deps: AnswerDeps, request: TextRequest<'chat'>, call: ModelCall, turn: OpenTurn, shelf: Shelf) {
    const { signal } = this.#stop;
    const { format, pieces, failLate } = openAnswer(deps, request, { ...call, isLowPriority: true, signal });
    this.#source = format.events(pieces(generate => askPatiently(generate, deps.clock, signal)));
    this.#failLate = failLate;
    this.caller = call.caller;
    this.events = request.isStream ? [] : null;
    this.#turn = turn;
    this.#shelf = shelf;
    this.#clock = deps.clock;
  }

  /** Stores it as queued, then generates. */
  async begin(): Promise<void> {
    try {
      this.#note((await this.#source.next()).value as EventMessage);
      const itemIds = this.#turn.addedIds;
      await this.#shelf.add('response', this.#toStored(this.document), { isOpen: true, itemIds });
    } catch (error) {
      await this.#source.return(undefined);
      throw error;
    }
    this.#generated = this.#generate();
    this.ended = this.#generated.then(() => this.#store());
  }

  get content(): StoredResponse {
    return this.#toStored(this.document);
  }

  async *follow(from: number): AsyncGenerator<EventMessage> {
    const events = this.events ?? [];
    for (let at = from; ; at++) {
      while (at >= events.length) {
        if (this.#hasEnded) return;
        await new Promise<void>(resolve => this.#waiting.push(resolve));
      }
      yield events[at]!;
    }
  }

  async cancel(): Promise<void> {
    this.#stop.abort(CANCELED);
    await this.#generated;
  }

  async interrupt(): Promise<void> {
    this.#stop.abort(new ApiError('engine_unavailable', INTERRUPTED.message));
    this.#closed.abort();
    await this.ended;
  }

  async #generate(): Promise<void> {
    try {
      for await (const event of this.#source) this.#note(event);
    } catch (error) {
      if (this.#stop.signal.reason === CANCELED) this.document = { ...this.document, status: 'cancelled' };
      else this.#note(await this.#failLate(error));
    }
    this.#hasEnded = true;
    this.#wake();
  }

  #note(event: EventMessage): void {
    if (WHOLE.test(event.event ?? ''))
      this.document = (JSON.parse(event.data) as { response: ResponseDocument }).response;
    this.events?.push(event);
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Tries until it is stored, or deleted, or the cloud stops. Meanwhile, readers get it from memory. */
  async #store(): Promise<void> {
    const { document } = this;
    const { items } = this.#turn;
    const failed = { ...document, status: 'failed', output: [], error: TOO_LARGE };
    const forms = [this.content, toStored(items, document), toStored(items, failed), toStored([], failed)];
    const content = forms.find(form => this.#shelf.fits(form));
    const itemIds = content?.document.error === TOO_LARGE ? [] : document.output.map(({ id }) => id);
    // Nobody may wait for an end that cannot be stored.
    const write = () =>
      content
        ? this.#shelf.replace('response', content, { itemIds })
        : this.#shelf.delete('response', document.id);
    while (!(await this.#shelf.attempt(write)) && !this.#closed.signal.aborted)
      await this.#clock.sleep(RETRY_MS, this.#closed.signal).catch(() => {});
  }

  #toStored(document: ResponseDocument): StoredResponse {
    const events = this.#hasEnded ? this.events : null;
    return { ...toStored(this.#turn.items, document), ...(events && { events }) };
  }
}

const TOO_LARGE = { code: 'server_error', message: 'The response is too large to be stored.' };

function tooMany(): ApiError {
  return new ApiError(
    'engine_busy',
    `At most ${MOST_UNFINISHED} background responses may be unfinished at a time. Wait for one, or cancel it.`,
    { headers: { 'retry-after': '1' } },
  );
}
