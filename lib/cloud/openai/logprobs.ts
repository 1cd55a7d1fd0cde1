// Log-probabilities as the published format writes them: with the text of each token, and its bytes.
import type { ChatCompletion } from '../../contract/index.js';
import type { TokenLogprob } from '../../engine/index.js';

type Logprobs = NonNullable<ChatCompletion['choices'][number]['logprobs']>;
export type LogprobEntry = NonNullable<Logprobs['content']>[number];

type WrittenToken = Omit<TokenLogprob, 'top'>;

/** JSON has no infinity: this is what the format writes for what is as good as impossible. */
const LOWEST = -9999;

export function toLogprobEntry({ top, ...token }: TokenLogprob): LogprobEntry {
  const write = ({ logprob, bytes }: WrittenToken) => ({
    token: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    logprob: Math.max(logprob, LOWEST),
    bytes: [...bytes],
  });
  return { ...write(token), top_logprobs: top.map(write) };
}
