// From tokens to pieces of text: characters are whole, stop texts are cut off, and each token goes with the piece that
// its own text begins in.
import type { GenerateRequest, TextDecoding, TextPiece, TokenLogprob } from './request.js';
import type { SampledToken } from './sampling/sampler.js';
import type { ScoredToken } from './sampling/token-logprob.js';
import { createStopScanner } from './stop-scanner.js';

export interface BuiltPiece {
  /** None when nothing became certain. */
  piece: TextPiece | null;
  stopped: boolean;
}

export interface PieceBuilder {
  push(token: SampledToken): BuiltPiece;
  /** What is left when no token follows; nothing behind a stop text. */
  finish(): BuiltPiece;
}

export function createPieceBuilder(
  decoding: TextDecoding,
  { stop = [], logprobs }: Pick<GenerateRequest, 'stop' | 'logprobs'>,
): PieceBuilder {
  const decoder = decoding.createStreamDecoder({ skipSpecialTokens: true });
  const scanner = createStopScanner(stop);
  const pending: { token: SampledToken; start: number }[] = [];
  let decoded = 0;
  let given = 0;
  let hasStopped = false;

  /** The tokens whose text begins before what was given so far. */
  function takeTokens(all: boolean): SampledToken[] {
    const first = all ? -1 : pending.findIndex(({ start }) => start >= given);
    return pending.splice(0, first < 0 ? pending.length : first).map(({ token }) => token);
  }

  function toLogprob({ logprob }: SampledToken): TokenLogprob {
    const write = (token: ScoredToken) => ({ ...token, bytes: decoding.bytesOf(token.id) });
    const { top, ...token } = logprob!;
    return { ...write(token), top: top.map(write) };
  }

  function build(text: string, stopped: boolean, isLast: boolean): BuiltPiece {
    given += text.length;
    hasStopped = stopped;
    if (text === '' && !isLast) return { piece: null, stopped };
    const tokens = takeTokens(isLast && !stopped);
    if (text === '' && tokens.length === 0) return { piece: null, stopped };
    const tokenIds = tokens.map(({ id }) => id);
    if (logprobs === undefined) return { piece: { text, tokenIds }, stopped };
    return { piece: { text, tokenIds, logprobs: tokens.map(toLogprob) }, stopped };
  }

  return {
    push(token) {
      pending.push({ token, start: decoded });
      const text = decoder.push(token.id);
      decoded += text.length;
      const scan = scanner.push(text);
      return build(scan.text, scan.stopped, false);
    },
    finish() {
      if (hasStopped) return { piece: null, stopped: true };
      const scan = scanner.push(decoder.flush());
      return build(scan.stopped ? scan.text : scan.text + scanner.flush(), scan.stopped, true);
    },
  };
}
