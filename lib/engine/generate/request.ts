// What is asked of a generator, and what comes back piece by piece.
import type { LoadedAdapter } from './adapter.js';
import type { SamplingOptions } from './sampling/sampler.js';
import type { ScoredToken } from './sampling/token-logprob.js';

export interface GenerateRequest extends SamplingOptions {
  /** The whole prompt as tokens, special ones included. */
  promptIds: readonly number[];
  /** None is the base model. */
  adapter?: LoadedAdapter | null | undefined;
  /** Who asks: callers take turns. All who say nothing are one. */
  caller?: string | undefined;
  /** How many tokens to generate at most: as many as the context has room for unless given. */
  maxTokens?: number | undefined;
  /** Texts that end the generation and are left out of it. */
  stop?: readonly string[] | undefined;
}

export type FinishReason = 'stop' | 'length';

export interface Usage {
  promptTokens: number;
  /** Every token that was sampled, also one that ended the text and is not part of it. */
  completionTokens: number;
}

export interface WrittenToken extends ScoredToken {
  /** What it stands for in the text: maybe a part of a character. */
  bytes: Uint8Array;
}

export interface TokenLogprob extends WrittenToken {
  /** The likeliest tokens of this place, the likeliest first. */
  top: WrittenToken[];
}

export interface TextPiece {
  /** The text that became certain; empty only when tokens without text are all that is left. */
  text: string;
  /** The tokens that this text begins with or within. */
  tokenIds: number[];
  /** One for each token, if they were asked for. */
  logprobs?: TokenLogprob[];
  finishReason?: undefined;
}

/** Always the last one, and the only one of its kind. */
export interface LastPiece {
  text: '';
  tokenIds: [];
  finishReason: FinishReason;
  usage: Usage;
}

export type Piece = TextPiece | LastPiece;

/** What generation must know of text; a model's text has it. */
export interface TextDecoding {
  createStreamDecoder(options: { readonly skipSpecialTokens: boolean }): {
    push(id: number): string;
    flush(): string;
  };
  bytesOf(id: number): Uint8Array;
  /** Where a turn ends. */
  readonly eosIds: readonly number[];
  readonly endOfTurnId?: number | undefined;
}
