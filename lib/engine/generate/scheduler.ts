// Who is computed when: requests join and leave the batch between any two steps. Newcomers' prompts are computed in
// parts, in turn, and between two parts everybody who runs gets a token. Who does not fit into the batch or the memory
// waits; while others wait, those who have had their turn are set aside and computed again later. It knows no text.
import type { ModelConfig } from '../model/index.js';
import { layoutBytes } from './cache-budget.js';
import { KvCache } from './kv-cache.js';
import type { Sequence } from './sequence.js';
import type { RunStep } from './step.js';
import { pickNext, pickToSetAside, turnOf } from './turns.js';

export interface SchedulerOptions {
  /** How many requests are computed at once. */
  maxBatch: number;
  /** What all caches may take. */
  budget: number;
  /** The longest part of a prompt: when nobody else runs, and when somebody waits for tokens. */
  chunk: { alone: number; beside: number };
  /** Nothing is left to compute. */
  onIdle(): void;
}

interface Newcomer {
  sequence: Sequence;
  cache: KvCache;
}

export class Scheduler {
  readonly #config: ModelConfig;
  readonly #runStep: RunStep;
  readonly #options: SchedulerOptions;
  #waiting: Sequence[] = [];
  /** At which step those began to wait who were set aside. */
  readonly #asideSince = new WeakMap<Sequence, number>();
  #filling: Newcomer[] = [];
  /** In the order of the slots of `#cache`. */
  readonly #running: Sequence[] = [];
  readonly #cache: KvCache;
  /** Those at work, in the order in which they were admitted. */
  readonly #admitted = new Set<Sequence>();
  #steps = 0;
  #work: Promise<void> | null = null;

  constructor(config: ModelConfig, runStep: RunStep, options: SchedulerOptions) {
    this.#config = config;
    this.#runStep = runStep;
    this.#options = options;
    this.#cache = new KvCache(config);
  }

  /** Resolves when nothing is computed any more; null when nothing is. */
  get work(): Promise<void> | null {
    return this.#work;
  }

  get counts(): { running: number; waiting: number } {
    const live = (sequences: readonly Sequence[]) => sequences.filter(({ ended }) => !ended).length;
    return { running: live(this.#atWork()), waiting: live(this.#waiting) };
  }

  /** Those of which nothing was computed or told yet. */
  get notBegun(): readonly Sequence[] {
    return this.#waiting.filter(sequence => !sequence.ended && !this.#asideSince.has(sequence));
  }

  /** What all caches take. */
  get cacheBytes(): number {
    return this.#filling.reduce((sum, { cache }) => sum + cache.bytes, this.#cache.bytes);
  }

  add(sequence: Sequence): void {
    this.#waiting.push(sequence);
    this.#work ??= this.#run();
  }

  failAll(error: unknown): void {
    for (const sequence of [...this.#atWork(), ...this.#waiting]) sequence.fail(error);
  }

  async #run(): Promise<void> {
    await null; // Who comes together starts together.
    for (;;) {
      try {
        this.#dropEnded();
        this.#admit();
        if (this.#filling.length + this.#running.length === 0) break;
        await this.#fill();
        await this.#decode();
      } catch (error) {
        this.failAll(error);
        this.#cache.clear();
        this.#running.length = 0;
        this.#filling = [];
        this.#admitted.clear();
      }
    }
    this.#options.onIdle();
    this.#work = null;
  }

  #dropEnded(): void {
    this.#waiting = this.#waiting.filter(({ ended }) => !ended);
    for (const sequence of this.#atWork()) if (sequence.ended) this.#drop(sequence);
  }

  /** Takes it out of the batch, and its rows out of the memory. */
  #drop(sequence: Sequence): void {
    this.#admitted.delete(sequence);
    this.#filling = this.#filling.filter(newcomer => newcomer.sequence !== sequence);
    const slot = this.#running.indexOf(sequence);
    if (slot < 0) return;
    this.#cache.remove(slot);
    const last = this.#running.pop()!;
    if (slot < this.#running.length) this.#running[slot] = last;
  }

  #setAside(sequence: Sequence): void {
    this.#drop(sequence);
    sequence.rewind();
    this.#waiting.push(sequence);
    this.#asideSince.set(sequence, this.#steps);
  }

  #admit(): void {
    this.#admitWaiting();
    if (!this.#waiting.some(sequence => this.#isEntitled(sequence))) return;
    const done = pickToSetAside(this.#running);
    if (!done) return;
    this.#setAside(done);
    this.#admitWaiting();
  }

  #admitWaiting(): void {
    const passedOver = new Set<Sequence>();
    while (this.#running.length + this.#filling.length < this.#options.maxBatch) {
      const candidates = this.#waiting.filter(sequence => !passedOver.has(sequence));
      const next = pickNext(candidates, this.#atWork());
      if (!next) break;
      if (this.#fits(next)) this.#begin(next);
      else if (this.#isEntitled(next)) break;
      else passedOver.add(next);
    }
  }

  #begin(sequence: Sequence): void {
    this.#waiting = this.#waiting.filter(other => other !== sequence);
    this.#admitted.add(sequence);
    const cache = new KvCache(this.#config);
    cache.addEmpty();
    this.#filling.push({ sequence, cache });
  }

  /** Whether room is made for it: at once for a newcomer, and for one that was set aside after as long as a turn. */
  #isEntitled(sequence: Sequence): boolean {
    const since = this.#asideSince.get(sequence);
    return since === undefined || this.#steps - since >= turnOf(sequence.length);
  }

  /** Whether there is room for it in the batch, and beside it until its prompt is computed. */
  #fits(sequence: Sequence): boolean {
    const newcomers = [...this.#filling.map(newcomer => newcomer.sequence), sequence];
    if (newcomers.length + this.#running.length === 1) return true;
    const lengths = [...this.#running, ...newcomers].map(({ length }) => length + 1);
    const besides = newcomers.map(({ length }) => layoutBytes(this.#config, [length]));
    const needed = besides.reduce((sum, bytes) => sum + bytes, layoutBytes(this.#config, lengths));
    return needed <= this.#options.budget;
  }

  /** Sets those aside who came last until what is to be done takes no more than there is. The first one can go on. */
  #makeRoom(needed: () => number): void {
    while (this.#admitted.size > 1 && needed() > this.#options.budget) {
      this.#cache.compact();
      if (needed() > this.#options.budget) this.#setAside([...this.#admitted].at(-1)!);
    }
  }

  /** Computes a part of the prompt of the newcomer whose turn it is; behind the whole prompt it joins the others. */
  async #fill(): Promise<void> {
    const [newcomer] = this.#filling;
    if (!newcomer) return;
    const { sequence, cache } = newcomer;
    const { alone, beside } = this.#options.chunk;
    const chunk = this.#running.length > 0 ? beside : alone;
    const isLast = sequence.length - sequence.rows <= chunk;
    this.#makeRoom(() => {
      const others = this.cacheBytes - cache.bytes;
      const lengths = [...this.#cache.lengths, sequence.length];
      const grown = isLast ? layoutBytes(this.#config, lengths) - this.#cache.bytes : 0;
      return others + cache.bytesAfter(chunk) + Math.max(0, grown);
    });
    if (!this.#admitted.has(sequence)) return;
    await this.#fillChunk(newcomer, chunk);
    if (sequence.ended) return this.#drop(sequence);
    this.#filling.shift();
    if (isLast) this.#join(newcomer);
    else this.#filling.push(newcomer);
  }

  #join({ sequence, cache }: Newcomer): void {
    if (this.#running.length === 0) this.#cache.takeOver(cache);
    else this.#cache.addFrom(cache);
    this.#running.push(sequence);
  }

  async #fillChunk({ sequence, cache }: Newcomer, longest: number): Promise<void> {
    const ids = sequence.takeChunk(longest);
    try {
      const [logits] = await this.#runStep(cache, [{ ids, adapter: sequence.adapter }], sequence.filled);
      if (logits) sequence.accept(logits);
    } catch (error) {
      sequence.fail(error);
    }
  }

  /** A token for everybody who runs. */
  async #decode(): Promise<void> {
    this.#dropEnded();
    this.#makeRoom(() => this.cacheBytes - this.#cache.bytes + this.#cache.bytesAfter(1));
    if (this.#running.length === 0) return;
    this.#steps++;
    const lines = this.#running.map(sequence => ({ ids: sequence.takeChunk(1), adapter: sequence.adapter }));
    const logits = await this.#runStep(this.#cache, lines, true);
    this.#running.forEach((sequence, slot) => {
      sequence.accept(logits[slot]!);
    });
  }

  #atWork(): Sequence[] {
    return [...this.#running, ...this.#filling.map(({ sequence }) => sequence)];
  }
}
