// A request in progress: what of it was computed, what was chosen, and who reads it. It knows no batch.
import type { LoadedAdapter } from './adapter.js';
import { type BuiltPiece, createPieceBuilder, type PieceBuilder } from './piece-builder.js';
import { PieceStream } from './piece-stream.js';
import type { FinishReason, GenerateRequest, Piece, TextDecoding } from './request.js';
import { createSampler, type SampledToken, type Sampler } from './sampling/sampler.js';

export class Sequence {
  readonly adapter: LoadedAdapter | null;
  readonly caller: string;
  readonly stream: PieceStream<Piece>;
  /** The prompt and what was sampled after it. */
  readonly #ids: number[];
  readonly #promptLength: number;
  readonly #maxTokens: number;
  readonly #endIds: ReadonlySet<number>;
  readonly #sample: Sampler;
  readonly #builder: PieceBuilder;
  readonly #signal: AbortSignal | undefined;
  #computed = 0;
  #given = 0;
  #ended = false;

  /** `maxTokens` is what the context has room for, at most. */
  constructor(
    request: GenerateRequest,
    maxTokens: number,
    decoding: TextDecoding,
    signal: AbortSignal | undefined,
  ) {
    this.adapter = request.adapter ?? null;
    this.caller = request.caller ?? '';
    this.stream = new PieceStream<Piece>(() => this.#end());
    this.#ids = [...request.promptIds];
    this.#promptLength = request.promptIds.length;
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

  /** How many of its tokens are in the cache. */
  get rows(): number {
    return this.#computed;
  }

  /** How many are there to be in it: the prompt, and what was sampled. */
  get length(): number {
    return this.#ids.length;
  }

  /** Whether all of them were computed: the next one can be chosen. */
  get filled(): boolean {
    return this.#computed === this.#ids.length;
  }

  /** How many tokens it was given since it was last admitted. */
  get given(): number {
    return this.#given;
  }

  /** The next tokens to compute. */
  takeChunk(longest: number): readonly number[] {
    const chunk = this.#ids.slice(this.#computed, this.#computed + longest);
    this.#computed += chunk.length;
    return chunk;
  }

  /** Its cache was dropped: everything so far is computed again before it goes on, and its turn begins anew. */
  rewind(): void {
    this.#computed = 0;
    this.#given = 0;
  }

  /** Chooses the next token and tells the reader; it may be the last. */
  accept(logits: Float32Array): void {
    if (this.#ended) return;
    try {
      const token = this.#sample(logits);
      this.#ids.push(token.id);
      this.#given++;
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

  get #sampled(): number {
    return this.#ids.length - this.#promptLength;
  }

  #reasonToEnd(token: SampledToken): FinishReason | null {
    if (this.#endIds.has(token.id)) return 'stop';
    const { stopped } = this.#give(this.#builder.push(token));
    if (stopped) return 'stop';
    return this.#sampled >= this.#maxTokens ? 'length' : null;
  }

  #finish(reason: FinishReason): void {
    const { stopped } = this.#give(this.#builder.finish());
    const usage = { promptTokens: this.#promptLength, completionTokens: this.#sampled };
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
