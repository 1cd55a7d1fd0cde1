// Who is computed when: requests join and leave the batch between any two steps. Newcomers' prompts are computed in
// parts, in turn, and between two parts everybody who runs gets a token. It knows no text.
import type { ModelConfig } from '../model/index.js';
import { EngineError } from './engine-error.js';
import { KvCache } from './kv-cache.js';
import type { Sequence } from './sequence.js';
import type { RunStep } from './step.js';

export interface SchedulerOptions {
  /** How many requests are computed at once. */
  maxBatch: number;
  /** How many more may wait. */
  queueLimit: number;
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
  #filling: Newcomer[] = [];
  /** In the order of the slots of `#cache`. */
  readonly #running: Sequence[] = [];
  readonly #cache: KvCache;
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
    const waiting = live(this.#waiting);
    return { running: live(this.#all()) - waiting, waiting };
  }

  /** What all caches take. */
  get cacheBytes(): number {
    return this.#filling.reduce((sum, { cache }) => sum + cache.bytes, this.#cache.bytes);
  }

  /** Throws when there is no room: call it before the sequence is made. */
  assertRoom(): void {
    const { maxBatch, queueLimit } = this.#options;
    const { running, waiting } = this.counts;
    if (running + waiting < maxBatch + queueLimit) return;
    throw new EngineError(
      'engine_busy',
      `The engine is busy, with ${running} in work and ${waiting} waiting. Try again in a moment.`,
    );
  }

  add(sequence: Sequence): void {
    this.#waiting.push(sequence);
    this.#work ??= this.#run();
  }

  failAll(error: unknown): void {
    for (const sequence of this.#all()) sequence.fail(error);
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
      }
    }
    this.#options.onIdle();
    this.#work = null;
  }

  #dropEnded(): void {
    this.#waiting = this.#waiting.filter(({ ended }) => !ended);
    this.#filling = this.#filling.filter(({ sequence }) => !sequence.ended);
    for (let slot = this.#running.length - 1; slot >= 0; slot--) {
      if (!this.#running[slot]!.ended) continue;
      this.#cache.remove(slot);
      const last = this.#running.pop()!;
      if (slot < this.#running.length) this.#running[slot] = last;
    }
  }

  #admit(): void {
    while (this.#running.length + this.#filling.length < this.#options.maxBatch) {
      const sequence = this.#waiting.shift();
      if (!sequence) return;
      const cache = new KvCache(this.#config);
      cache.addEmpty();
      this.#filling.push({ sequence, cache });
    }
  }

  /** Computes a part of the prompt of the newcomer whose turn it is; behind the whole prompt it joins the others. */
  async #fill(): Promise<void> {
    const [newcomer] = this.#filling;
    if (!newcomer) return;
    const { sequence, cache } = newcomer;
    await this.#fillChunk(newcomer);
    this.#filling.shift();
    if (sequence.ended) return;
    if (!sequence.filled) {
      this.#filling.push(newcomer);
      return;
    }
    this.#cache.addFrom(cache);
    this.#running.push(sequence);
  }

  async #fillChunk({ sequence, cache }: Newcomer): Promise<void> {
    const { alone, beside } = this.#options.chunk;
    const ids = sequence.takeChunk(this.#running.length > 0 ? beside : alone);
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
    if (this.#running.length === 0) return;
    const lines = this.#running.map(({ nextId, adapter }) => ({ ids: [nextId], adapter }));
    const logits = await this.#runStep(this.#cache, lines, true);
    this.#running.forEach((sequence, slot) => {
      sequence.accept(logits[slot]!);
    });
  }

  #all(): Sequence[] {
    return [...this.#running, ...this.#filling.map(({ sequence }) => sequence), ...this.#waiting];
  }
}
