// Readers of a prompt's outputs (log probabilities, or an embedding), fed chunk by chunk during prefill.
import { type EchoedToken, type TextDecoding, writeToken } from './request.js';
import { requireFinite, tokenLogprob } from './sampler.js';
import type { WantedOutput } from './step.js';

export interface PromptReader {
  readonly wanted: Extract<WantedOutput, 'logits' | 'states'>;
  /** Takes the outputs after the prompt's next tokens, one row for each token. */
  read(rows: readonly Float32Array[]): void;
}

interface PromptScores extends PromptReader {
  /** One for each token of the prompt. */
  readonly tokens: EchoedToken[];
}

/** How likely each token of the prompt was, with this many alternatives. */
export function createPromptScores(
  promptIds: readonly number[],
  decoding: TextDecoding,
  topCount: number,
): PromptScores {
  const tokens: EchoedToken[] = promptIds
    .slice(0, 1)
    .map(id => ({ id, bytes: decoding.bytesOf(id), logprob: null, top: [] }));
  return {
    wanted: 'logits',
    tokens,
    read(rows) {
      for (const logits of rows) {
        const id = promptIds[tokens.length];
        if (id === undefined) return;
        requireFinite(logits[id]!);
        tokens.push(writeToken(tokenLogprob(logits, id, topCount), decoding));
      }
    },
  };
}

interface StateMean extends PromptReader {
  mean(): Float32Array;
}

/** The mean of the last hidden states of a prompt's tokens. */
export function createStateMean(hidden: number): StateMean {
  const sum = new Float64Array(hidden);
  let count = 0;
  return {
    wanted: 'states',
    read(rows) {
      for (const state of rows) for (let i = 0; i < hidden; i++) sum[i]! += state[i]!;
      sum.forEach(requireFinite);
      count += rows.length;
    },
    mean: () => Float32Array.from(sum, value => value / count),
  };
}
