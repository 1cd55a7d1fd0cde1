// A generator's requests, their validation, and the pieces of its answers.
import { EngineError, type RefusedPart } from '../engine-error.js';
import type { AnswerShape, Call, StructureText } from '../structure/index.js';
import type { Thought } from '../text/index.js';
import type { LoadedAdapter } from './adapters.js';
import type { SamplingOptions, ScoredChoice, ScoredToken } from './sampler.js';

export interface GenerateRequest extends SamplingOptions {
  /** The tokens of the whole prompt, including special ones. */
  promptIds: readonly number[];
  /** The base model if absent. */
  adapter?: LoadedAdapter | null | undefined;
  /** Callers take turns. Requests without a caller count as one caller. */
  caller?: string | undefined;
  /** Gives way to all other requests. */
  isLowPriority?: boolean | undefined;
  /** The maximum number of tokens to generate. Defaults to what fits in the context. */
  maxTokens?: number | undefined;
  /** Sequences that end the generation and are not part of the answer. */
  stop?: readonly string[] | undefined;
  /** Whether the answer goes on with the prompt's text. */
  continues?: boolean | undefined;
  /** The structure that the answer must have. */
  shape?: AnswerShape | undefined;
  /** The thought that may come before the answer. */
  thought?: Thought | undefined;
}

export interface CompleteRequest extends GenerateRequest {
  /** Repeats the prompt's text first; with `logprobs`, also the log probabilities of its tokens. */
  echo?: string | undefined;
}

/** The input of an embedding: the mean of the last hidden states. */
export type EmbedRequest = Pick<GenerateRequest, 'promptIds' | 'adapter' | 'caller' | 'isLowPriority'>;

/** `tool_calls`: stopped after calls of functions. */
export type FinishReason = 'stop' | 'length' | 'tool_calls';

export interface PromptUsage {
  promptTokens: number;
  /** Prompt tokens reused from an earlier request with the same prefix. */
  cachedTokens?: number;
}

export interface Usage extends PromptUsage {
  /** All sampled tokens, including one that ended the answer and is not part of it. */
  completionTokens: number;
  /** Those that were thought, with the marks around them. */
  thoughtTokens?: number;
}

interface WrittenToken extends ScoredToken {
  /** Its bytes in the text, possibly only part of a character. */
  bytes: Uint8Array;
}

export interface TokenLogprob extends WrittenToken {
  /** The most likely tokens at this position, in descending order. */
  top: WrittenToken[];
}

export interface TextPiece {
  /** The text that became certain; empty only for trailing tokens without text. */
  text: string;
  /** The tokens whose text starts in this piece. */
  tokenIds: number[];
  /** One per token, if requested. */
  logprobs?: TokenLogprob[];
  /** On an answer's first piece, for formats that say it before the answer. */
  promptUsage?: PromptUsage;
  finishReason?: undefined;
}

/** The prompt, before the answer. */
export interface EchoPiece {
  text: string;
  tokenIds: number[];
  /** One per token, if requested. The first token has none. */
  logprobs?: EchoedToken[];
  isPrompt: true;
  finishReason?: undefined;
}

export type EchoedToken = Omit<TokenLogprob, 'logprob'> & { logprob: number | null };

/** Some of a call's arguments, which are JSON. */
export interface CallPiece {
  text: '';
  tokenIds: [];
  call: Call;
  arguments: string;
  promptUsage?: PromptUsage;
  finishReason?: undefined;
}

/** Some of what the model thinks before it answers. */
export interface ThoughtPiece {
  text: '';
  tokenIds: [];
  thought: string;
  promptUsage?: PromptUsage;
  finishReason?: undefined;
}

/** Ends every answer. */
interface LastPiece {
  text: '';
  tokenIds: [];
  finishReason: FinishReason;
  /** The one of `stop` that ended the answer. */
  stopSequence?: string;
  usage: Usage;
  /** How long the sampled tokens after the first one took, in milliseconds. */
  samplingMs?: number;
}

export type Piece = TextPiece | CallPiece | ThoughtPiece | LastPiece;

/** The part of a model's text that generation needs. */
export interface TextDecoding extends StructureText {
  createStreamDecoder(options: {
    readonly skipSpecialTokens: boolean;
    readonly continues?: boolean | undefined;
  }): {
    push(id: number): string;
    flush(): string;
  };
}

/** Returns how many tokens may be generated. Throws an `EngineError` for an invalid request, before anything is computed. */
export function checkRequest(
  { promptIds, maxTokens = Number.POSITIVE_INFINITY, ...settings }: GenerateRequest,
  { context, vocabulary, fewest }: { context: number; vocabulary: number; fewest: 0 | 1 },
): number {
  if (promptIds.length === 0) throw invalid('the prompt has no tokens');
  const unknown = promptIds.find(id => !Number.isInteger(id) || id < 0 || id >= vocabulary);
  if (unknown !== undefined)
    throw invalid(`the prompt has the token ${unknown}, but the vocabulary has ${vocabulary} tokens`);
  if (!(maxTokens >= fewest)) throw invalid(`maxTokens is ${maxTokens}`);
  const {
    temperature = 1,
    topP = 1,
    topK = 1,
    frequencyPenalty = 0,
    presencePenalty = 0,
    seed = 0,
  } = settings;
  if (!(temperature >= 0)) throw invalid(`temperature is ${temperature}`);
  if (!(topP >= 0)) throw invalid(`topP is ${topP}`);
  if (!(topK >= 1)) throw invalid(`topK is ${topK}`);
  for (const [name, value] of Object.entries({ frequencyPenalty, presencePenalty, seed }))
    if (!Number.isFinite(value)) throw invalid(`${name} is ${value}`);

  for (const id of Object.keys(settings.logitBias ?? {}))
    if (!(Number(id) < vocabulary))
      throw invalid(
        `a bias is set for the token ${id}, but the vocabulary has ${vocabulary} tokens`,
        'logitBias',
      );

  const room = context - promptIds.length;
  if (room >= fewest) return Math.min(maxTokens, room);
  throw promptTooLong(String(promptIds.length), context);
}

export function promptTooLong(tokens: string, context: number): EngineError {
  return new EngineError(
    'context_length_exceeded',
    // Clients know the error by these words, OpenAI's by the first sentence, Anthropic's by the second.
    `This model's maximum context length is ${context} tokens, including the answer. The prompt is too long: ${tokens} tokens. Shorten it.`,
  );
}

function invalid(problem: string, part?: RefusedPart): EngineError {
  return new EngineError('invalid_value', `Invalid request: ${problem}.`, part);
}

/** A scored token and its alternatives, with their bytes. */
export function writeToken({ top, ...token }: ScoredChoice, decoding: TextDecoding): TokenLogprob {
  const write = (scored: ScoredToken) => ({ ...scored, bytes: decoding.bytesOf(scored.id) });
  return { ...write(token), top: top.map(write) };
}
