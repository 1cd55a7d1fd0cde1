// Scored tokens with their bytes.
import type { TextDecoding, TokenLogprob } from './request.js';
import type { ScoredChoice, ScoredToken } from './sampling/token-logprob.js';

export function writeToken({ top, ...token }: ScoredChoice, decoding: TextDecoding): TokenLogprob {
  const write = (scored: ScoredToken) => ({ ...scored, bytes: decoding.bytesOf(scored.id) });
  return { ...write(token), top: top.map(write) };
}
