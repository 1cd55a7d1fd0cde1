// The log of one job while it has readers. Readers at the same position share one database read and its encoded bytes.
// They are woken together, less often the more there are. A slow reader holds nothing here.
import type { Clock, Timer } from '../../../clock/index.js';
import { batchMessage, isFinalStatus } from '../../../contract/index.js';
import { encodeEvents } from '../../../http/index.js';
import type { Db } from '../../store/db.js';
import { readEvents, type StoredEvent } from '../../store/events.js';

/** Consecutive events after a position, encoded for the wire. */
interface Chunk {
  bytes: Uint8Array;
  lastSeq: number;
}

/** Many events may come in one message. */
export type EventForm = 'events' | 'batches';

const CHUNK_EVENTS = 1000;
const CHUNKS_KEPT = 16;
const LONGEST_WAIT_MS = 250;
const encoder = new TextEncoder();

/** Waking many readers is expensive, so each wake then has to bring more events. */
const waitBetweenWakes = (readers: number) => Math.min(LONGEST_WAIT_MS, 20 + readers / 5);

export class Topic {
  readers = 0;
  /** Resolves once the job's state in the database is known here. */
  readonly ready: Promise<void>;
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #jobId: string;
  readonly #chunks = new Map<string, Promise<Chunk | null>>();
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

  /** Nothing comes after `lastSeq`. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The events after a position; null if the job was deleted. */
  read(after: number, form: EventForm): Promise<Chunk | null> {
    const key = `${form} ${after}`;
    const known = this.#chunks.get(key);
    if (known) return known;
    const chunk = this.#readChunk(after, form);
    this.#chunks.set(key, chunk);
    if (this.#chunks.size > CHUNKS_KEPT) this.#chunks.delete(this.#chunks.keys().next().value!);
    chunk.catch(() => this.#chunks.delete(key));
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

  publish(events: readonly StoredEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.#lastSeq = Math.max(this.#lastSeq, last.seq);
    // A late score moves the end of a log that is over.
    if (this.#isOver) this.#chunks.clear();
    this.#isOver ||= last.type === 'end';
    const wait = this.#wokenAt + waitBetweenWakes(this.readers) - this.#clock.elapsed();
    this.#timer ??= this.#clock.after(Math.max(0, wait), () => this.#wake());
  }

  /** Wakes every reader. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Something may have been committed without being published. */
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

  async #readChunk(after: number, form: EventForm): Promise<Chunk | null> {
    const events = await readEvents(this.#db, this.#jobId, after, CHUNK_EVENTS);
    const last = events.at(-1);
    if (!last) return null;
    const messages = events.map(({ seq, type, payload }) => ({
      id: String(seq),
      event: type,
      data: payload,
    }));
    const batch = form === 'batches' ? batchMessage(messages, { isOwn: true }) : null;
    return { bytes: batch === null ? encodeEvents(messages) : encoder.encode(batch), lastSeq: last.seq };
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
