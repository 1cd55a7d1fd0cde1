// Log probabilities as completions of texts list them: a column for each fact, and where each token starts.
import { type Completion, countCharacters } from '../../../contract/index.js';
import type { EchoedToken } from '../../../engine/index.js';
import { textOf, writeLogprob } from '../logprobs.js';

type Logprobs = NonNullable<Completion['choices'][number]['logprobs']>;

interface TokenRecord {
  /** The columns of further tokens. `text` is what a prompt says, which tokens before it are not part of. */
  add(tokens: readonly EchoedToken[], text?: string): Logprobs;
}

/** For the tokens of one answer, from its first one on. */
export function createTokenRecord(): TokenRecord {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let length = 0;

  function place({ bytes }: EchoedToken): number {
    const start = length;
    length += countCharacters(decoder.decode(bytes, { stream: true }));
    return start;
  }

  return {
    add(tokens, text) {
      const starts = tokens.map(place);
      const extra = text === undefined ? 0 : Math.max(0, length - countCharacters(text));
      length -= extra;
      return {
        tokens: tokens.map(({ bytes }) => textOf(bytes)),
        token_logprobs: tokens.map(({ logprob }) => (logprob === null ? null : writeLogprob(logprob))),
        top_logprobs: tokens.map(token => (token.logprob === null ? null : toTop(token))),
        text_offset: starts.map(start => Math.max(0, start - extra)),
      };
    },
  };
}

/** The likeliest tokens by their texts, and the one that was chosen. Of those with the same text, the likeliest counts. */
function toTop({ top, ...token }: EchoedToken): Record<string, number> {
  const all = [...top, { ...token, logprob: token.logprob! }];
  return Object.fromEntries(
    all
      .toSorted((a, b) => a.logprob - b.logprob)
      .map(({ bytes, logprob }) => [textOf(bytes), writeLogprob(logprob)]),
  );
}
