// Continuous batching: requests join and leave the batch between any two steps. Prompts are prefilled in chunks, round
// robin, with a decode step between two chunks. Requests that do not fit in the batch or the memory wait; meanwhile,
// running ones that have had their turn are preempted and recomputed later. It does not know text.
import { type CacheShape, cacheShapeOf, type ModelConfig } from '../model/index.js';
import {
  layoutBytes,
  longestWithin,
  sequenceBytes,
  snapshotBytes,
  tokensPerSnapshot,
} from './cache-budget.js';
import { KvCache, StatesLostError } from './kv-cache.js';
import { chunkEnd, inWholeChunks, isSnapshotPoint, PrefixCache } from './prefix-cache.js';
import type { Sequence } from './sequence.js';
import type { RunStep, StepOutput } from './step.js';
import { pickNext, pickToPreempt, turnLength } from './turns.js';

interface SchedulerOptions {
  /** How many requests run at once. */
  maxBatch: number;
  /** The size limit of all caches, in bytes. */
  budget: number;
  /** How much of that the prefixes of earlier requests may use. */
  prefixBudget: number;
  /** The longest chunk of a prompt. */
  chunk: number;
  /**
   * Whether requests are kept from waiting long: others get their next tokens while a prompt is read, and stop for a while when
   * one has no place. Default: true. Without that, all are done sooner, and those with the same list of prompt tokens join
   * together, so that it is read once.
   */
  takesTurns?: boolean;
  /** Called when nothing is left to compute. */
  onIdle(): void;
}

interface Prefill {
  sequence: Sequence;
  cache: KvCache;
}

export class Scheduler {
  readonly #config: ModelConfig;
  readonly #shape: CacheShape;
  readonly #runStep: RunStep;
  readonly #options: SchedulerOptions;
  #waiting: Sequence[] = [];
  /** The step at which a waiting sequence was preempted. */
  readonly #preemptedAt = new WeakMap<Sequence, number>();
  #prefilling: Prefill[] = [];
  /** In the order of the slots of `#cache`. */
  readonly #running: Sequence[] = [];
  readonly #cache: KvCache;
  readonly #prefixes: PrefixCache;
  /** The active sequences, in order of admission. */
  readonly #admitted = new Set<Sequence>();
  #steps = 0;
  #work: Promise<void> | null = null;

  constructor(config: ModelConfig, runStep: RunStep, options: SchedulerOptions) {
    this.#config = config;
    this.#runStep = runStep;
    this.#options = options;
    this.#shape = cacheShapeOf(config);
    this.#cache = new KvCache(this.#shape);
    this.#prefixes = new PrefixCache({ limit: options.prefixBudget, chunk: options.chunk });
  }

  /** Resolves when all requests are done; null if there are none. */
  get work(): Promise<void> | null {
    return this.#work;
  }

  get running(): readonly Sequence[] {
    return this.#active().filter(({ ended }) => !ended);
  }

  get waiting(): readonly Sequence[] {
    return this.#waiting.filter(({ ended }) => !ended);
  }

  /** Waiting requests that have not produced anything yet. */
  get notStarted(): readonly Sequence[] {
    return this.waiting.filter(sequence => !this.#preemptedAt.has(sequence));
  }

  /** The size of all caches. */
  get bytes(): { cacheBytes: number; prefixBytes: number } {
    const prefixBytes = this.#prefixes.bytes;
    return { cacheBytes: this.#activeBytes + prefixBytes, prefixBytes };
  }

  /** Drops the prefixes of earlier requests. */
  clearPrefixes(): void {
    this.#prefixes.clear();
  }

  get #activeBytes(): number {
    return this.#prefilling.reduce((sum, { cache }) => sum + cache.bytes, this.#cache.bytes);
  }

  add(sequence: Sequence): void {
    this.#waiting.push(sequence);
    this.#work ??= this.#run();
  }

  failAll(error: unknown): void {
    for (const sequence of [...this.#active(), ...this.#waiting]) sequence.fail(error);
  }

  async #run(): Promise<void> {
    await null; // Requests that arrive together start together.
    for (;;) {
      try {
        this.#dropEnded();
        this.#admit();
        if (this.#prefilling.length + this.#running.length === 0) break;
        do await this.#prefill();
        while (this.#options.takesTurns === false && this.#prefilling.length > 0);
        await this.#decodeStep();
      } catch (error) {
        if (error instanceof StatesLostError) {
          for (const sequence of [...this.#running]) this.#preempt(sequence);
          continue;
        }
        this.failAll(error);
        this.#cache.clear();
        this.#running.length = 0;
        for (const { cache } of this.#prefilling) cache.clear();
        this.#prefilling = [];
        this.#admitted.clear();
      }
    }
    this.#options.onIdle();
    this.#work = null;
  }

  #dropEnded(): void {
    this.#waiting = this.#waiting.filter(({ ended }) => !ended);
    for (const sequence of this.#active())
      if (sequence.ended) this.#drop(sequence);
      else if (sequence.mustRestart) this.#preempt(sequence);
  }

  /** Removes a sequence from the batch, and its rows from the cache. */
  #drop(sequence: Sequence): void {
    this.#admitted.delete(sequence);
    const prefill = this.#prefilling.find(other => other.sequence === sequence);
    this.#prefilling = this.#prefilling.filter(other => other !== prefill);
    if (prefill) this.#keepPrefix(sequence, prefill.cache, 0);
    prefill?.cache.clear();
    const slot = this.#running.indexOf(sequence);
    if (slot < 0) return;
    this.#keepPrefix(sequence, this.#cache, slot);
    this.#cache.remove(slot);
    const last = this.#running.pop()!;
    if (slot < this.#running.length) this.#running[slot] = last;
  }

  /**
   * Keeps the whole chunks of an ended sequence's prompt, as many as prefixes may have, if there is room for a copy. Later
   * requests would compute the rest, and the answer, in other chunks.
   */
  #keepPrefix(sequence: Sequence, cache: KvCache, slot: number): void {
    if (!sequence.ended || sequence.isDamaged || !sequence.isReusable) return;
    const { prefixBudget, chunk } = this.#options;
    const computed = Math.min(cache.lengths[slot]!, sequence.promptLength);
    const most = longestWithin(this.#shape, prefixBudget, computed);
    const length = cache.longestCopy(slot, inWholeChunks(most, chunk));
    if (length === 0) return;
    const room = this.#options.budget - this.#activeBytes - sequenceBytes(this.#shape, length);
    if (room < 0) return;
    this.#prefixes.shrinkTo(room);
    this.#prefixes.add(sequence, sequence.ids.slice(0, length), () => cache.extract(slot, length));
  }

  #preempt(sequence: Sequence): void {
    this.#drop(sequence);
    sequence.rewind();
    this.#waiting.push(sequence);
    this.#preemptedAt.set(sequence, this.#steps);
  }

  #admit(): void {
    this.#admitWaiting();
    if (this.#options.takesTurns === false) return;
    const due = this.#waiting.filter(sequence => this.#isDue(sequence));
    if (due.length === 0) return;
    const chosen = pickToPreempt(this.#active(), due);
    if (!chosen) return;
    this.#preempt(chosen);
    this.#admitWaiting();
  }

  #admitWaiting(): void {
    const passedOver = new Set<Sequence>();
    while (this.#running.length + this.#prefilling.length < this.#options.maxBatch) {
      const candidates = this.#waiting.filter(sequence => !passedOver.has(sequence));
      const next = pickNext(candidates, this.#active());
      if (!next || !this.#hasPlaces(next)) break;
      if (this.#fits(next)) this.#start(next);
      else if (this.#isDue(next)) break;
      else passedOver.add(next);
    }
  }

  /** For it and those with the same prompt. */
  #hasPlaces(next: Sequence): boolean {
    const active = this.#running.length + this.#prefilling.length;
    if (this.#options.takesTurns !== false || active === 0) return true;
    if (this.#prefilling.some(({ sequence }) => areTwins(next, sequence))) return true;
    const twins = this.#waiting.filter(other => areTwins(other, next)).length;
    return active + 1 + twins <= this.#options.maxBatch;
  }

  #start(sequence: Sequence): void {
    const cache = new KvCache(this.#shape);
    const prefix = sequence.readsPrompt ? null : this.#prefixes.find(sequence, sequence.ids);
    if (prefix) {
      cache.addFrom(prefix.cache, prefix);
      sequence.skip(prefix.length);
    } else cache.addEmpty();
    this.#waiting = this.#waiting.filter(other => other !== sequence);
    this.#admitted.add(sequence);
    this.#prefilling.push({ sequence, cache });
  }

  /** Whether to preempt others for it: immediately for a new request, after a turn for a preempted one. */
  #isDue(sequence: Sequence): boolean {
    const since = this.#preemptedAt.get(sequence);
    return since === undefined || this.#steps - since >= turnLength(sequence.length);
  }

  /** Whether the memory has room for it in the batch and, until then, for the separate cache of its prefill. */
  #fits(sequence: Sequence): boolean {
    const sequences = [...this.#prefilling.map(prefill => prefill.sequence), sequence];
    if (sequences.length + this.#running.length === 1) return true;
    const lengths = [...this.#running, ...sequences].map(({ length }) => length + 1);
    const bytes = [
      layoutBytes(this.#shape, lengths),
      ...this.#running.map(({ promptLength }) => snapshotBytes(this.#shape, promptLength)),
      ...sequences.map(({ length }) => sequenceBytes(this.#shape, length)),
    ];
    return bytes.reduce((sum, size) => sum + size, 0) <= this.#options.budget;
  }

  /**
   * Drops prefixes, then preempts the most recently admitted sequences, those of low priority first, until the budget
   * suffices. One always keeps running.
   */
  #freeMemory(needed: () => number): void {
    this.#prefixes.shrinkTo(Math.max(0, this.#options.budget - needed()));
    while (this.#admitted.size > 1 && needed() > this.#options.budget) {
      this.#cache.compact();
      const admitted = [...this.#admitted];
      const last = admitted.findLast(sequence => sequence.isLowPriority) ?? admitted.at(-1)!;
      if (needed() > this.#options.budget) this.#preempt(last);
    }
  }

  /** Computes one chunk of the next prompt. After its last chunk, the sequence joins the batch. */
  async #prefill(): Promise<void> {
    const [next] = this.#prefilling;
    if (!next) return;
    const { sequence, cache } = next;
    const end = chunkEnd(this.#config, this.#options.chunk, sequence.cached);
    const chunk = end - sequence.cached;
    const isLast = sequence.length <= end;
    this.#freeMemory(() => {
      const otherBytes = this.#activeBytes - cache.bytes;
      const lengths = [...this.#cache.lengths, sequence.length];
      const grown = isLast ? layoutBytes(this.#shape, lengths) - this.#cache.bytes : 0;
      return otherBytes + cache.bytesAfter(chunk) + Math.max(0, grown);
    });
    if (!this.#admitted.has(sequence)) return;
    const output = await this.#prefillChunk(next, chunk);
    if (isLast && output && this.#options.takesTurns === false) this.#spread(next, output);
    if (sequence.ended) return this.#drop(sequence);
    if (!this.#admitted.has(sequence)) return;
    // Those with the same prompt wait for this one.
    if (!isLast && this.#options.takesTurns === false) return;
    this.#prefilling = this.#prefilling.filter(other => other !== next);
    if (isLast) this.#join(next);
    else this.#prefilling.push(next);
  }

  /** Gives what was read of a prompt to the others that have it. */
  #spread({ sequence, cache }: Prefill, output: StepOutput): void {
    const twins = this.#prefilling.filter(({ sequence: other }) => areTwins(other, sequence));
    for (const { sequence: twin } of twins) {
      twin.skip(sequence.promptLength);
      twin.accept({ values: output.values.slice() }, 0);
      if (twin.ended) this.#drop(twin);
    }
    const others = twins.filter(({ sequence: twin }) => !twin.ended);
    this.#prefilling = this.#prefilling.filter(prefill => !others.includes(prefill));
    this.#cache.addFrom(cache, { times: others.length });
    this.#running.push(...others.map(({ sequence: twin }) => twin));
  }

  #join({ sequence, cache }: Prefill): void {
    if (this.#running.length === 0) this.#cache.takeOver(cache);
    else {
      this.#cache.addFrom(cache);
      cache.clear();
    }
    this.#running.push(sequence);
  }

  async #prefillChunk({ sequence, cache }: Prefill, longest: number): Promise<StepOutput | undefined> {
    const ids = sequence.takeChunk(longest);
    const { chunk } = this.#options;
    const every = tokensPerSnapshot(this.#shape);
    const readsStates = isSnapshotPoint(sequence.cached, sequence.promptLength, chunk, every);
    try {
      const line = toLine(sequence, ids);
      const [output] = await this.#runStep(cache, [line], sequence.wanted, { readsStates });
      // The sampler may change what it gets.
      const kept =
        this.#options.takesTurns === false ? output && { values: output.values.slice() } : undefined;
      if (readsStates) cache.keepSnapshot(0);
      sequence.accept(output, ids.length);
      return kept;
    } catch (error) {
      if (error instanceof StatesLostError) this.#preempt(sequence);
      else sequence.fail(error);
      return undefined;
    }
  }

  /** Generates a token for each running sequence. */
  async #decodeStep(): Promise<void> {
    this.#dropEnded();
    this.#freeMemory(() => this.#activeBytes - this.#cache.bytes + this.#cache.bytesAfter(1));
    if (this.#running.length === 0) return;
    this.#steps++;
    const lines = this.#running.map(sequence => toLine(sequence, sequence.takeChunk(1)));
    const outputs = await this.#runStep(this.#cache, lines, 'last');
    this.#running.forEach((sequence, slot) => {
      sequence.accept(outputs[slot], 1);
    });
  }

  #active(): Sequence[] {
    return [...this.#running, ...this.#prefilling.map(({ sequence }) => sequence)];
  }
}

/** Whether a sequence that has not begun has the same prompt as another one, which can read it for both. */
function areTwins(fresh: Sequence, other: Sequence): boolean {
  const isFresh = fresh.cached === 0 && fresh.length === fresh.promptLength;
  return isFresh && fresh !== other && fresh.promptIds === other.promptIds && fresh.adapter === other.adapter;
}

function toLine({ adapter, startsAt, drawsAt }: Sequence, ids: readonly number[]) {
  return { ids, adapter, startsAt, drawsAt };
}
