// Streams job logs to any number of readers. The log in the database is the only source. A topic exists while a job has
// readers; it shares reads between them and signals new events.
import type { Clock, Timer } from '../../clock/index.js';
import { isFinalStatus, type JobStatus, toFrames, writeLogLines } from '../../contract/index.js';
import { type EventWriter, encodeEvents, eventStream, STREAM_TIMES } from '../../http/index.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import { type LogNews, readLog } from '../store/events.js';

export interface EventHub {
  /** Announces committed events of a job. */
  publish(jobId: string, news: LogNews): void;
  /** Writes everything after the cursor, then new events, and returns after `end`. */
  follow(jobId: string, cursor: number, writer: Pick<EventWriter, 'sendBytes' | 'signal'>): Promise<void>;
  /**
   * Checks for events that were committed but not published: a commit can be reported as failed although it succeeded.
   */
  refresh(): void;
  /** Ends the streams of a deleted job. */
  forget(jobId: string): void;
  /** Ends all streams at once. */
  close(): void;
}

export function createEventHub(db: Db, clock: Clock): EventHub {
  const topics = new Map<string, Topic>();
  let isClosed = false;

  function openTopic(jobId: string): Topic {
    const topic = topics.get(jobId) ?? new Topic(db, clock, jobId);
    topics.set(jobId, topic);
    topic.readers++;
    return topic;
  }

  function closeTopic(jobId: string, topic: Topic): void {
    if (--topic.readers > 0) return;
    topic.close();
    if (topics.get(jobId) === topic) topics.delete(jobId);
  }

  return {
    publish: (jobId, news) => topics.get(jobId)?.publish(news),
    async follow(jobId, cursor, { sendBytes, signal }) {
      const topic = openTopic(jobId);
      try {
        await topic.ready;
        for (let at = cursor; !isClosed; ) {
          signal.throwIfAborted();
          if (at < topic.lastSeq) {
            const chunk = await topic.read(at);
            if (!chunk) return;
            await sendBytes(chunk.bytes);
            at = chunk.lastSeq;
          } else if (topic.isOver) return;
          else await topic.untilWoken(signal);
        }
      } finally {
        closeTopic(jobId, topic);
      }
    },
    refresh() {
      for (const topic of topics.values()) topic.refresh();
    },
    forget(jobId) {
      topics.get(jobId)?.end();
      topics.delete(jobId);
    },
    close() {
      isClosed = true;
      for (const topic of topics.values()) topic.end();
    },
  };
}

/**
 * Streams a job's events: from its log after a cursor, then live. Answers 204 only to readers that have seen `end`,
 * because it stops an EventSource for good.
 */
export function streamEvents(
  { hub, log }: { hub: EventHub; log: CloudDeps['log'] },
  job: { id: string; status: JobStatus; last_seq: number },
  cursor: number,
): Response {
  if (isFinalStatus(job.status) && cursor >= job.last_seq) return new Response(null, { status: 204 });
  return eventStream(writer => hub.follow(job.id, cursor, writer), {
    ...STREAM_TIMES,
    onError: error => log({ message: `The events of job ${job.id} could not be read.`, error }),
  });
}

/** The events logged so far, after a cursor. */
export function sendLog(db: Db, job: { id: string; last_seq: number }, cursor: number): Response {
  const body = ReadableStream.from(writeLog(db, job, cursor)) as ReadableStream<Uint8Array>;
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}

async function* writeLog(
  db: Db,
  { id, last_seq }: { id: string; last_seq: number },
  cursor: number,
): AsyncGenerator<Uint8Array> {
  for (let at = cursor; at < last_seq; at += CHUNK_EVENTS) {
    const parts = await readLog(db, id, at, Math.min(last_seq, at + CHUNK_EVENTS));
    yield encoder.encode(writeLogLines(parts));
  }
}

/** Consecutive events after a position, encoded for the wire. */
interface Chunk {
  bytes: Uint8Array;
  lastSeq: number;
}

const CHUNK_EVENTS = 1000;
const CHUNKS_KEPT = 16;
const LONGEST_WAIT_MS = 250;
const encoder = new TextEncoder();

/** Waking many readers is expensive, so each wake then has to bring more events. */
const waitBetweenWakes = (readers: number) => Math.min(LONGEST_WAIT_MS, 20 + readers / 5);

/**
 * A job's log while it has readers. Readers at the same position share one database read and its encoded bytes. They are
 * woken together, less often the more there are. A slow reader takes no memory here.
 */
class Topic {
  readers = 0;
  /** Resolves once the job's state in the database is known here. */
  readonly ready: Promise<void>;
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #jobId: string;
  readonly #chunks = new Map<number, Promise<Chunk | null>>();
  readonly #waiting = new Set<() => void>();
  #lastSeq = 0;
  #isOver = false;
  #timer: Timer | undefined;
  #wokenAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db, clock: Clock, jobId: string) {
    this.#db = db;
    this.#clock = clock;
    this.#jobId = jobId;
    this.ready = this.#load();
    this.ready.catch(() => {});
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Nothing follows `lastSeq`. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The events after a position; null if the job was deleted. */
  read(after: number): Promise<Chunk | null> {
    const known = this.#chunks.get(after);
    if (known) return known;
    const chunk = this.#readChunk(after);
    this.#chunks.set(after, chunk);
    if (this.#chunks.size > CHUNKS_KEPT) this.#chunks.delete(this.#chunks.keys().next().value!);
    chunk.catch(() => this.#chunks.delete(after));
    return chunk;
  }

  /** Resolves at the next change, or when the signal is aborted. */
  async untilWoken(signal: AbortSignal): Promise<void> {
    let resolve = () => {};
    const woken = new Promise<void>(done => {
      resolve = done;
    });
    this.#waiting.add(resolve);
    signal.addEventListener('abort', resolve, { once: true });
    await woken;
    this.#waiting.delete(resolve);
    signal.removeEventListener('abort', resolve);
  }

  publish({ lastSeq, isOver }: LogNews): void {
    this.#lastSeq = Math.max(this.#lastSeq, lastSeq);
    // A late score extends a log that has already ended.
    if (this.#isOver) this.#chunks.clear();
    this.#isOver ||= isOver;
    const wait = this.#wokenAt + waitBetweenWakes(this.readers) - this.#clock.elapsed();
    this.#timer ??= this.#clock.after(Math.max(0, wait), () => this.#wake());
  }

  /** Wakes every reader. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Checks for events that were committed but not published. */
  refresh(): void {
    this.#load().then(
      () => this.#wake(),
      () => {},
    );
  }

  close(): void {
    this.#timer?.stop();
  }

  async #load(): Promise<void> {
    const job = await this.#db
      .selectFrom('jobs')
      .select(['status', 'last_seq'])
      .where('id', '=', this.#jobId)
      .executeTakeFirst();
    this.#lastSeq = Math.max(this.#lastSeq, job?.last_seq ?? 0);
    this.#isOver ||= !job || isFinalStatus(job.status);
  }

  async #readChunk(after: number): Promise<Chunk | null> {
    const to = Math.min(this.#lastSeq, after + CHUNK_EVENTS);
    const parts = await readLog(this.#db, this.#jobId, after, to);
    const last = parts.at(-1);
    return last ? { bytes: encodeEvents(toFrames(parts)), lastSeq: Number(last.id) } : null;
  }

  #wake(): void {
    this.#timer?.stop();
    this.#timer = undefined;
    this.#wokenAt = this.#clock.elapsed();
    const woken = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of woken) resolve();
  }
}
