// A request in progress: what of it was computed, what was chosen, and who reads it. It knows no batch.
import type { LoadedAdapter } from './adapter.js';
import { type BuiltPiece, createPieceBuilder, type PieceBuilder } from './piece-builder.js';
import { PieceStream } from './piece-stream.js';
import type { FinishReason, GenerateRequest, Piece, TextDecoding } from './request.js';
import { createSampler, type SampledToken, type Sampler } from './sampling/sampler.js';

export class Sequence {
  readonly adapter: LoadedAdapter | null;
  readonly stream: PieceStream<Piece>;
  readonly #promptIds: readonly number[];
  readonly #maxTokens: number;
  readonly #endIds: ReadonlySet<number>;
  readonly #sample: Sampler;
  readonly #builder: PieceBuilder;
  readonly #signal: AbortSignal | undefined;
  #computed = 0;
  #sampled = 0;
  #nextId = 0;
  #ended = false;

  /** `maxTokens` is what the context has room for, at most. */
  constructor(
    request: GenerateRequest,
    maxTokens: number,
    decoding: TextDecoding,
    signal: AbortSignal | undefined,
  ) {
    this.adapter = request.adapter ?? null;
    this.stream = new PieceStream<Piece>(() => this.#end());
    this.#promptIds = request.promptIds;
    this.#maxTokens = maxTokens;
    const { eosIds, endOfTurnId } = decoding;
    this.#endIds = new Set(endOfTurnId === undefined ? eosIds : [...eosIds, endOfTurnId]);
    this.#sample = createSampler(request);
    this.#builder = createPieceBuilder(decoding, request);
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort);
  }

  /** Finished, failed, aborted, or left by its reader. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the whole prompt is in the cache. */
  get filled(): boolean {
    return this.#computed === this.#promptIds.length;
  }

  /** The token that a filled sequence goes on with. */
  get nextId(): number {
    return this.#nextId;
  }

  /** The next part of the prompt. */
  takeChunk(longest: number): readonly number[] {
    const chunk = this.#promptIds.slice(this.#computed, this.#computed + longest);
    this.#computed += chunk.length;
    return chunk;
  }

  /** Chooses the next token and tells the reader; it may be the last. */
  accept(logits: Float32Array): void {
    if (this.#ended) return;
    try {
      const token = this.#sample(logits);
      this.#sampled++;
      this.#nextId = token.id;
      const reason = this.#reasonToEnd(token);
      if (reason) this.#finish(reason);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    this.stream.end({ error });
    this.#end();
  }

  #reasonToEnd(token: SampledToken): FinishReason | null {
    if (this.#endIds.has(token.id)) return 'stop';
    const { stopped } = this.#give(this.#builder.push(token));
    if (stopped) return 'stop';
    return this.#sampled >= this.#maxTokens ? 'length' : null;
  }

  #finish(reason: FinishReason): void {
    const { stopped } = this.#give(this.#builder.finish());
    const usage = { promptTokens: this.#promptIds.length, completionTokens: this.#sampled };
    this.stream.push({ text: '', tokenIds: [], finishReason: stopped ? 'stop' : reason, usage });
    this.stream.end();
    this.#end();
  }

  #give(built: BuiltPiece): BuiltPiece {
    if (built.piece) this.stream.push(built.piece);
    return built;
  }

  #end(): void {
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.fail(this.#signal?.reason);
}
