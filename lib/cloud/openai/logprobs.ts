// Log probabilities in the OpenAI format, with each token's text and bytes.
import type { ChatCompletion } from '../../contract/index.js';
import type { TokenLogprob } from '../../engine/index.js';

type Logprobs = NonNullable<ChatCompletion['choices'][number]['logprobs']>;
export type LogprobEntry = NonNullable<Logprobs['content']>[number];

type WrittenToken = Omit<TokenLogprob, 'top'>;

/** JSON has no infinity. The format uses this value for practically impossible tokens. */
const LOWEST = -9999;

export function toLogprobEntry({ top, ...token }: TokenLogprob): LogprobEntry {
  const write = ({ logprob, bytes }: WrittenToken) => ({
    token: textOf(bytes),
    logprob: writeLogprob(logprob),
    bytes: [...bytes],
  });
  return { ...write(token), top_logprobs: top.map(write) };
}

export function writeLogprob(logprob: number): number {
  return Math.max(logprob, LOWEST);
}

/** Parts of characters become replacement characters. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
