// A request in progress: its tokens, how many of them are cached, and the stream of its answer. It does not know the
// batch.
import type { LoadedAdapter } from './adapter.js';
import { type BuiltPiece, createPieceBuilder, type PieceBuilder } from './piece-builder.js';
import { PieceStream } from './piece-stream.js';
import type { FinishReason, GenerateRequest, Piece, TextDecoding } from './request.js';
import { createSampler, type SampledToken, type Sampler } from './sampling/sampler.js';

export class Sequence {
  readonly adapter: LoadedAdapter | null;
  readonly caller: string;
  readonly stream: PieceStream<Piece>;
  /** The prompt and the sampled tokens. */
  readonly #ids: number[];
  readonly #promptLength: number;
  readonly #maxTokens: number;
  readonly #endIds: ReadonlySet<number>;
  readonly #sample: Sampler;
  readonly #builder: PieceBuilder;
  readonly #signal: AbortSignal | undefined;
  #computed = 0;
  /** Tokens of the prompt that were cached already. */
  #known = 0;
  #isDamaged = false;
  #turnTokens = 0;
  #ended = false;

  /** `maxTokens` must fit in the context. */
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

  /** Finished, failed, aborted, or abandoned by its reader. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The number of its tokens in the cache. */
  get cached(): number {
    return this.#computed;
  }

  get ids(): readonly number[] {
    return this.#ids;
  }

  /** Whether its logits could not be used, so what is cached of it may be wrong. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** The number of all its tokens: the prompt and what was sampled. */
  get length(): number {
    return this.#ids.length;
  }

  /** Whether all its tokens are computed, so that the next one can be sampled. */
  get isPrefilled(): boolean {
    return this.#computed === this.#ids.length;
  }

  /** The number of tokens sampled since it was last admitted. */
  get turnTokens(): number {
    return this.#turnTokens;
  }

  /** Counts its first tokens as computed. */
  skip(tokens: number): void {
    this.#computed = tokens;
    this.#known = Math.max(this.#known, Math.min(tokens, this.#promptLength));
  }

  /** Takes the next tokens to compute. */
  takeChunk(longest: number): readonly number[] {
    const chunk = this.#ids.slice(this.#computed, this.#computed + longest);
    this.#computed += chunk.length;
    return chunk;
  }

  /** Starts over after a preemption: its cache is gone, so all its tokens are recomputed, and a new turn starts. */
  rewind(): void {
    this.#computed = 0;
    this.#turnTokens = 0;
  }

  /** Samples the next token and emits its text. Ends the sequence if it was the last token. */
  accept(logits: Float32Array): void {
    if (this.#ended) return;
    try {
      const token = this.#sample(logits);
      this.#ids.push(token.id);
      this.#turnTokens++;
      const reason = this.#reasonToEnd(token);
      if (reason) this.#finish(reason);
    } catch (error) {
      this.#isDamaged = true;
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
    const { stopped } = this.#emit(this.#builder.push(token));
    if (stopped) return 'stop';
    return this.#sampled >= this.#maxTokens ? 'length' : null;
  }

  #finish(reason: FinishReason): void {
    const { stopped } = this.#emit(this.#builder.finish());
    const usage = {
      promptTokens: this.#promptLength,
      cachedTokens: this.#known,
      completionTokens: this.#sampled,
    };
    this.stream.push({ text: '', tokenIds: [], finishReason: stopped ? 'stop' : reason, usage });
    this.stream.end();
    this.#end();
  }

  #emit(built: BuiltPiece): BuiltPiece {
    if (built.piece) this.stream.push(built.piece);
    return built;
  }

  #end(): void {
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.fail(this.#signal?.reason);
}
