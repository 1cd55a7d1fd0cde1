// Keys and values of earlier requests, for later ones that begin with the same tokens, such as the next turn of a chat.
// They are only shared between requests of one caller, since how fast an answer starts tells what was cached.
import type { ModelConfig } from '../model/index.js';
import type { LoadedAdapter } from './adapters.js';
import type { KvCache } from './kv-cache.js';

/** The caller, and the model or adapter that computed them. */
interface PrefixScope {
  adapter: LoadedAdapter | null;
  caller: string;
  /** The position of the first token. Defaults to 0. */
  startsAt?: number;
}

interface Prefix extends Required<Pick<PrefixScope, 'caller' | 'startsAt'>> {
  /** Does not keep the adapter in memory. */
  adapter: WeakRef<LoadedAdapter> | null;
  ids: readonly number[];
  /** A cache with these tokens in its only slot. */
  cache: KvCache;
  usedAt: number;
}

interface PrefixCacheOptions {
  /** In bytes. */
  limit: number;
  /** In tokens. */
  chunk: number;
  /** In milliseconds. */
  now?: () => number;
}

/** Entries unused for this long are dropped. */
const IDLE_MS = 10 * 60 * 1000;

export class PrefixCache {
  readonly #limit: number;
  readonly #chunk: number;
  readonly #now: () => number;
  /** Least recently used first. */
  #prefixes: Prefix[] = [];

  constructor({ limit, chunk, now = () => performance.now() }: PrefixCacheOptions) {
    this.#limit = limit;
    this.#chunk = chunk;
    this.#now = now;
  }

  get bytes(): number {
    return this.#prefixes.reduce((sum, { cache }) => sum + cache.bytes, 0);
  }

  /**
   * The cache that begins with the most of these tokens, and how many, in whole chunks, a copy can have. At least one token
   * is left to compute.
   */
  find(scope: PrefixScope, ids: readonly number[]): { cache: KvCache; length: number } | null {
    this.#dropIdle();
    let best: Prefix | null = null;
    let length = 0;
    for (const prefix of this.#inScope(scope)) {
      const same = inWholeChunks(Math.min(countShared(prefix.ids, ids), ids.length - 1), this.#chunk);
      const shared = prefix.cache.longestCopy(0, same);
      if (shared > length) [best, length] = [prefix, shared];
    }
    if (!best) return null;
    best.usedAt = this.#now();
    this.#prefixes = [...this.#prefixes.filter(prefix => prefix !== best), best];
    return { cache: best.cache, length };
  }

  /** Keeps a cache with these tokens, which are whole chunks, in its only slot, in place of those that it continues. */
  add({ adapter, caller, startsAt = 0 }: PrefixScope, ids: readonly number[], copy: () => KvCache): void {
    const entries = this.#inScope({ adapter, caller, startsAt });
    const isKnown = entries.some(
      other =>
        countShared(other.ids, ids) === ids.length && other.cache.longestCopy(0, ids.length) === ids.length,
    );
    if (isKnown) return;
    const continued = new Set(entries.filter(other => countShared(other.ids, ids) === other.ids.length));
    this.#prefixes = this.#prefixes.filter(prefix => !continued.has(prefix));
    const usedAt = this.#now();
    const scope = { adapter: adapter && new WeakRef(adapter), caller, startsAt };
    this.#prefixes.push({ ...scope, ids, cache: copy(), usedAt });
    this.shrinkTo(this.#limit);
  }

  /** Drops the least recently used ones until the rest fits. */
  shrinkTo(bytes: number): void {
    this.#prefixes = this.#prefixes.filter(
      ({ adapter }) => adapter === null || adapter.deref() !== undefined,
    );
    while (this.#prefixes.length > 0 && this.bytes > bytes) this.#prefixes.shift();
  }

  clear(): void {
    this.#prefixes = [];
  }

  #dropIdle(): void {
    const oldest = this.#now() - IDLE_MS;
    this.#prefixes = this.#prefixes.filter(({ usedAt }) => usedAt >= oldest);
  }

  #inScope({ adapter, caller, startsAt = 0 }: PrefixScope): Prefix[] {
    return this.#prefixes.filter(
      prefix =>
        prefix.caller === caller &&
        prefix.startsAt === startsAt &&
        (adapter ? prefix.adapter?.deref() === adapter : !prefix.adapter),
    );
  }
}

/** The length of the common prefix. */
function countShared(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return length;
}

/** Memory for a chunk's attention scores, and the smallest chunk worth a run, however long the sequence. */
const [SCORE_BYTES, SHORTEST_CHUNK] = [64 * 2 ** 20, 16];

/**
 * The end of the chunk that starts here: each head scores each of its tokens with all before. Where a prompt is cut
 * depends on positions alone, not on how long it is or what was kept of it: rounding differs with the shape of a product,
 * so only the same chunks have the same results, bit for bit.
 */
export function chunkEnd({ heads }: Pick<ModelConfig, 'heads'>, chunk: number, start: number): number {
  const end = (Math.floor(start / chunk) + 1) * chunk;
  const fitting = Math.floor(SCORE_BYTES / (heads * end * Float32Array.BYTES_PER_ELEMENT));
  return Math.min(end, start + Math.max(SHORTEST_CHUNK, fitting));
}

/**
 * Whether a snapshot is kept after this many of a prompt's tokens, which are whole chunks: from time to time, and at the last
 * chunk that leaves a token to compute.
 */
export function isSnapshotPoint(tokens: number, promptLength: number, chunk: number, every: number): boolean {
  const crosses = Math.floor(tokens / every) > Math.floor((tokens - chunk) / every);
  return (
    tokens % chunk === 0 &&
    tokens <= promptLength &&
    (crosses || tokens === inWholeChunks(promptLength - 1, chunk))
  );
}

/** How many of the first tokens are in whole chunks. */
export const inWholeChunks = (tokens: number, chunk: number) => Math.floor(tokens / chunk) * chunk;
