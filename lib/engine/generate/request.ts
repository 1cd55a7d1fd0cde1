// The requests of a generator, and the pieces of its answers.
import type { AnswerShape, Call, StructureText } from '../structure/index.js';
import type { LoadedAdapter } from './adapter.js';
import type { SamplingOptions } from './sampling/sampler.js';
import type { ScoredToken } from './sampling/token-logprob.js';

export interface GenerateRequest extends SamplingOptions {
  /** The tokens of the whole prompt, including special ones. */
  promptIds: readonly number[];
  /** The base model if absent. */
  adapter?: LoadedAdapter | null | undefined;
  /** Callers take turns. Requests without a caller count as one caller. */
  caller?: string | undefined;
  /** The maximum number of tokens to generate. Defaults to what fits in the context. */
  maxTokens?: number | undefined;
  /** Sequences that end the generation and are not part of the answer. */
  stop?: readonly string[] | undefined;
  /** What the answer has to look like. */
  shape?: AnswerShape | undefined;
}

export interface CompleteRequest extends GenerateRequest {
  /** The prompt's text, which then comes first; with `logprobs` also how likely its tokens were. */
  echo?: string | undefined;
}

/** What to compute the mean of the last hidden states of. */
export type EmbedRequest = Pick<GenerateRequest, 'promptIds' | 'adapter' | 'caller'>;

/** `tool_calls`: stopped after calls of functions. */
export type FinishReason = 'stop' | 'length' | 'tool_calls';

export interface Usage {
  promptTokens: number;
  /** Those of the prompt that were not computed again, because a request before it began with the same. */
  cachedTokens?: number;
  /** All sampled tokens, including one that ended the answer and is not part of it. */
  completionTokens: number;
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
  finishReason?: undefined;
}

/** The prompt, before the answer. */
export interface EchoPiece {
  text: string;
  tokenIds: number[];
  /** One per token, if requested. Nothing says how likely the first one is. */
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
  finishReason?: undefined;
}

/** Ends every answer. */
interface LastPiece {
  text: '';
  tokenIds: [];
  finishReason: FinishReason;
  usage: Usage;
}

export type Piece = TextPiece | CallPiece | LastPiece;

/** The part of a model's text that generation needs. */
export interface TextDecoding extends StructureText {
  createStreamDecoder(options: { readonly skipSpecialTokens: boolean }): {
    push(id: number): string;
    flush(): string;
  };
}
