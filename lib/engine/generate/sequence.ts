// A request in progress: its tokens, how many of them are cached, and the stream of its answer. It does not know the
// batch.
import { EngineError } from '../engine-error.js';
import type { Structure } from '../structure/index.js';
import type { LoadedAdapter } from './adapters.js';
import { AnswerStream } from './answer-stream.js';
import { createCallWriter } from './call-writer.js';
import { type BuiltPiece, createPieceBuilder, type PieceBuilder } from './piece-builder.js';
import type { PromptReader } from './prompt-reader.js';
import type {
  CallPiece,
  EchoPiece,
  FinishReason,
  GenerateRequest,
  Piece,
  PromptUsage,
  TextDecoding,
  TextPiece,
  ThoughtPiece,
} from './request.js';
import { createSampler, NotFiniteError, type SampledToken, type Sampler, toRetry } from './sampler.js';
import type { StepOutput, WantedOutput } from './step.js';
import { createThoughtReader, type ThoughtReader, type ThoughtStep } from './thought-reader.js';

/** Options of some requests. */
export interface SequenceParts {
  /** Reads the prompt's outputs. */
  reader?: PromptReader | undefined;
  /** Creates the piece that precedes the answer, once the prompt has been read. */
  echo?: (() => EchoPiece) | undefined;
  /** Constrains the structure of the answer. */
  structure?: Structure | undefined;
  /** The position of the first token, by how many tokens there are. */
  startOf?: (tokens: number) => number;
}

export class Sequence {
  readonly adapter: LoadedAdapter | null;
  readonly caller: string;
  readonly isLowPriority: boolean;
  readonly stream: AnswerStream<Piece | EchoPiece>;
  /** The prompt and the sampled tokens. */
  readonly #ids: number[];
  readonly promptLength: number;
  readonly #maxTokens: number;
  readonly #endIds: ReadonlySet<number>;
  #sampler: Sampler;
  readonly #builder: PieceBuilder;
  readonly #thought: ThoughtReader | undefined;
  readonly #bytesOf: TextDecoding['bytesOf'];
  readonly #signal: AbortSignal | undefined;
  readonly #structure: Structure | undefined;
  readonly #startOf: (tokens: number) => number;
  #startsAt: number;
  readonly #calls = createCallWriter();
  /** The last tokens, if they are the start of a call or of a value. */
  readonly #undecided: SampledToken[] = [];
  /** How many tokens there were before the last call's arguments. */
  #callStart = 0;
  /** How often the last call was rewritten. */
  #retries = 0;
  /** Sampled tokens that are not among the others any more. */
  #discarded = 0;
  #mustRestart = false;
  readonly #request: GenerateRequest;
  readonly #reader: PromptReader | undefined;
  /** How many prompt tokens the reader has seen. */
  #read = 0;
  #echo: (() => EchoPiece) | undefined;
  #computed = 0;
  /** Prompt tokens that came from the prefix cache. */
  #known = 0;
  #isDamaged = false;
  #turnTokens = 0;
  /** When the first token was sampled, and the last. */
  #firstAt: number | undefined;
  #lastAt = 0;
  #hasBegun = false;
  #ended = false;

  /** `maxTokens` must fit in the context; 0 ends it after the prompt. */
  constructor(
    request: GenerateRequest,
    maxTokens: number,
    decoding: TextDecoding,
    signal: AbortSignal | undefined,
    { reader, echo, structure, startOf = () => 0 }: SequenceParts = {},
  ) {
    this.#request = request;
    this.adapter = request.adapter ?? null;
    this.caller = request.caller ?? '';
    this.isLowPriority = request.isLowPriority ?? false;
    this.stream = new AnswerStream<Piece | EchoPiece>(() => this.#end());
    this.#ids = [...request.promptIds];
    this.promptLength = request.promptIds.length;
    this.#maxTokens = maxTokens;
    this.#endIds = new Set(decoding.endIds);
    this.#structure = structure;
    this.#startOf = startOf;
    this.#startsAt = startOf(this.promptLength);
    this.#sampler = createSampler(request, structure);
    this.#builder = createPieceBuilder(decoding, request, structure?.starts);
    this.#thought = request.thought && createThoughtReader(decoding, request.thought);
    this.#bytesOf = decoding.bytesOf;
    this.#signal = signal;
    this.#reader = reader;
    this.#echo = echo;
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

  /** As they were requested. */
  get promptIds(): readonly number[] {
    return this.#request.promptIds;
  }

  get ids(): readonly number[] {
    return this.#ids;
  }

  /** Whether its logits were unusable, so that its cached rows may be wrong. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Whether its prompt is worth keeping for later requests: not that of an embedding, since embeddings use no prefix. */
  get isReusable(): boolean {
    return this.#reader?.wanted !== 'states';
  }

  /** The number of all its tokens: the prompt and what was sampled. */
  get length(): number {
    return this.#ids.length;
  }

  /** Whether it needs outputs for the whole prompt, so that no cached prefix can be used. */
  get readsPrompt(): boolean {
    return this.#reader !== undefined && this.#read < this.promptLength;
  }

  /** The outputs needed for the last chunk. */
  get wanted(): WantedOutput {
    if (this.readsPrompt) return this.#reader!.wanted;
    return this.#isPrefilled && this.#maxTokens > 0 ? 'last' : 'nothing';
  }

  /** Whether all its tokens are computed, so that the next one can be sampled. */
  get #isPrefilled(): boolean {
    return this.#computed === this.#ids.length;
  }

  /** The number of tokens sampled since it was last admitted. */
  get turnTokens(): number {
    return this.#turnTokens;
  }

  /** Counts its first tokens as computed. */
  skip(tokens: number): void {
    this.#computed = tokens;
    this.#known = Math.max(this.#known, Math.min(tokens, this.promptLength));
  }

  /** Takes the next tokens to compute. */
  takeChunk(longest: number): readonly number[] {
    const chunk = this.#ids.slice(this.#computed, this.#computed + longest);
    this.#computed += chunk.length;
    return chunk;
  }

  /** The temperature of its next draw, if that is from the softmax alone. */
  get drawsAt(): number | undefined {
    return this.#sampler.drawsAt;
  }

  /** The position of the first token, for which the cache was computed. */
  get startsAt(): number {
    return this.#startsAt;
  }

  /** Whether the cache has tokens that were dropped, or that have other positions now. */
  get mustRestart(): boolean {
    return this.#mustRestart;
  }

  /** Starts over after a preemption: its cache is gone, so all its tokens are recomputed, and a new turn starts. */
  rewind(): void {
    this.#computed = 0;
    this.#startsAt = this.#startOf(this.length);
    this.#turnTokens = 0;
    this.#mustRestart = false;
  }

  /** Takes the wanted outputs of a chunk: reads the prompt, and goes on once everything is computed. */
  accept(output: StepOutput | undefined, tokens: number): void {
    if (this.#ended) return;
    try {
      const last = this.readsPrompt ? { values: this.#readPrompt(output!.values, tokens) } : output;
      if (this.#isPrefilled) this.#continue(last);
    } catch (error) {
      this.#isDamaged = true;
      this.fail(error instanceof NotFiniteError ? this.#toDamage(error) : error);
    }
  }

  /** Without an adapter, only the model can be at fault. */
  #toDamage({ message }: NotFiniteError): EngineError {
    return this.adapter
      ? new EngineError('adapter_damaged', `${message} The adapter's values are too large for this model.`)
      : new EngineError(
          'model_damaged',
          `${message} The base model's weights are damaged: replace its files.`,
        );
  }

  /** Returns the row after the last token. */
  #readPrompt(output: Float32Array, tokens: number): Float32Array {
    const size = output.length / tokens;
    const rows = Array.from({ length: tokens }, (_, i) => output.subarray(i * size, (i + 1) * size));
    const known = this.#read - (this.#computed - tokens);
    this.#reader!.read(rows.slice(known));
    this.#read = Math.max(this.#read, this.#computed);
    return rows.at(-1)!;
  }

  /** Emits the next token's text. Ends the sequence if it was the last token. */
  #continue(output: StepOutput | undefined): void {
    if (this.#echo) this.stream.push(this.#echo());
    this.#echo = undefined;
    const reason = this.#maxTokens === 0 ? 'length' : this.#sampleNext(output!);
    if (reason) this.#finish(reason);
  }

  #sampleNext({ values, odds }: StepOutput): FinishReason | null {
    const token = this.#sampler.choose(values, odds, this.#maxTokens - this.#sampled);
    this.#ids.push(token.id);
    this.#lastAt = performance.now();
    this.#firstAt ??= this.#lastAt;
    if (this.#startOf(this.length) !== this.#startsAt) this.#mustRestart = true;
    this.#turnTokens++;
    return this.#reasonToEnd(token);
  }

  fail(error: unknown): void {
    this.stream.end({ error });
    this.#end();
  }

  get #sampled(): number {
    return this.#ids.length - this.promptLength + this.#discarded;
  }

  #reasonToEnd(token: SampledToken): FinishReason | null {
    if (this.#endIds.has(token.id)) return this.#stopReason;
    if (this.#take(token)) return 'stop';
    if (this.#calls.problem !== null) return this.#writeCallAnew(this.#calls.problem);
    if (this.#structure?.isEnded || this.#calls.isRepeating) return this.#stopReason;
    return this.#sampled >= this.#maxTokens ? 'length' : null;
  }

  /** Emits what a token says. Returns whether that has a stop sequence. */
  #take(token: SampledToken): boolean {
    const { isThought = false, rest, held = [] } = this.#think(token);
    if (this.#isFree && held.some(earlier => this.#say(earlier))) return true;
    if (isThought) return rest !== undefined && this.#say(token, rest);
    this.#undecided.push(token);
    if (this.#structure?.taken.writes === 'undecided') return false;
    const tokens = this.#undecided.splice(0);
    if (this.#writesText) return tokens.some(each => this.#say(each));
    this.#emitCall(token.id);
    return false;
  }

  get #writesText(): boolean {
    return ['text', 'undecided'].includes(this.#structure?.taken.writes ?? 'text');
  }

  /** Whether any text may be said. Otherwise, earlier tokens are the syntax around a value. */
  get #isFree(): boolean {
    return !this.#structure || this.#structure.starts !== undefined;
  }

  #say(token: SampledToken, text?: string): boolean {
    const { stopped, begun } = this.#emit(this.#builder.push(token, text));
    if (begun !== undefined) this.#structure!.begin(begun);
    return stopped;
  }

  #think(token: SampledToken): Partial<ThoughtStep> {
    const reader = this.#thought;
    if (!reader || reader.state === 'over') return {};
    const { state } = reader;
    // The start of a call ends the wait for a thought, even if its token is a special one without text. So does the start of
    // a value, even if its text may be that of a mark.
    const isAnswer = state === 'before' && this.#isFree !== this.#writesText;
    const step = isAnswer ? reader.finish() : reader.push(token);
    this.#pushThought(step);
    if (state === 'before' && reader.state === 'inside') this.#structure?.think();
    if (step.rest !== undefined) {
      this.#structure?.answer();
      this.#builder.skipSpace();
    }
    return step;
  }

  get #stopReason(): FinishReason {
    if (this.#structure?.isCut) return 'length';
    return this.#calls.count > 0 ? 'tool_calls' : 'stop';
  }

  /** Emits the arguments that a token adds to a call. Text before the call is complete then. */
  #emitCall(id: number): void {
    this.#emit(this.#builder.finish());
    const { taken } = this.#structure!;
    if (taken.writes === 'arguments' && !this.#calls.isOpen) this.#startCall(this.#ids.length - 1);
    const piece = this.#calls.push(this.#bytesOf(id), taken);
    if (piece) this.#push(piece);
  }

  #startCall(at: number): void {
    if (at !== this.#callStart) this.#retries = 0;
    this.#callStart = at;
  }

  /** A call that was closed because the tokens ran out is left out instead. */
  #writeCallAnew(problem: string): FinishReason | null {
    if (this.#structure!.isCut || this.#sampled >= this.#maxTokens) return 'length';
    if (this.#retries === MOST_RETRIES) {
      const message = `${problem} It was tried ${MOST_RETRIES + 1} times.`;
      this.fail(new EngineError('tool_use_failed', message, 'tools'));
      return null;
    }
    this.#retries++;
    this.#discarded += this.#ids.length - this.#callStart;
    this.#ids.length = this.#callStart;
    this.#structure!.restartCall();
    this.#sampler = createSampler(toRetry(this.#request, this.#retries), this.#structure);
    this.#mustRestart = true;
    return null;
  }

  #finish(reason: FinishReason): void {
    const thought = this.#thought?.finish();
    if (thought) this.#pushThought(thought);
    if (this.#isFree) for (const held of thought?.held ?? []) this.#say(held);
    for (const token of this.#undecided) if (this.#say(token)) break;
    const { stopped, stop } = this.#emit(this.#builder.finish());
    const usage = {
      ...this.#promptUsage,
      completionTokens: this.#sampled,
      ...(this.#thought && { thoughtTokens: this.#thought.tokenCount }),
    };
    const finishReason = stopped ? 'stop' : reason;
    const stopSequence = stop === undefined ? {} : { stopSequence: stop };
    const pace = this.#firstAt === undefined ? {} : { samplingMs: this.#lastAt - this.#firstAt };
    this.stream.push({ text: '', tokenIds: [], finishReason, ...stopSequence, usage, ...pace });
    this.stream.end();
    this.#end();
  }

  #emit(built: BuiltPiece): BuiltPiece {
    if (built.piece) this.#push(built.piece);
    return built;
  }

  get #promptUsage(): PromptUsage {
    return { promptTokens: this.promptLength, cachedTokens: this.#known };
  }

  #pushThought({ thought }: ThoughtStep): void {
    if (thought !== '') this.#push({ text: '', tokenIds: [], thought });
  }

  #push(piece: TextPiece | CallPiece | ThoughtPiece): void {
    this.stream.push(this.#hasBegun ? piece : { ...piece, promptUsage: this.#promptUsage });
    this.#hasBegun = true;
  }

  #end(): void {
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.fail(this.#signal?.reason);
}

/** How often a call whose arguments do not fit is rewritten. */
const MOST_RETRIES = 2;
