// Turns tokens into pieces of text: with whole characters, without stop sequences. A token belongs to the piece in
// which its text starts.
import type { GenerateRequest, TextDecoding, TextPiece } from './request.js';
import type { SampledToken } from './sampling/sampler.js';
import { createStopScanner } from './stop-scanner.js';
import { writeToken } from './write-token.js';

export interface BuiltPiece {
  /** Null if no text became certain. */
  piece: TextPiece | null;
  stopped: boolean;
  /** What follows the start of a call, which ended the text. */
  begun?: string | undefined;
}

export interface PieceBuilder {
  push(token: SampledToken): BuiltPiece;
  /** The rest when no token follows. Nothing after a stop sequence. */
  finish(): BuiltPiece;
}

export function createPieceBuilder(
  decoding: TextDecoding,
  { stop = [], logprobs }: Pick<GenerateRequest, 'stop' | 'logprobs'>,
  callStart?: string,
): PieceBuilder {
  const decoder = decoding.createStreamDecoder({ skipSpecialTokens: true });
  const scanner = createStopScanner(callStart === undefined ? stop : [...stop, callStart]);
  const pending: { token: SampledToken; start: number }[] = [];
  let decoded = 0;
  let emitted = 0;
  let hasStopped = false;

  /** Removes and returns the pending tokens whose text starts before the end of the emitted text. */
  function takeTokens(all: boolean): SampledToken[] {
    const first = all ? -1 : pending.findIndex(({ start }) => start >= emitted);
    return pending.splice(0, first < 0 ? pending.length : first).map(({ token }) => token);
  }

  function build(text: string, stopped: boolean, isLast: boolean): BuiltPiece {
    emitted += text.length;
    hasStopped = stopped;
    if (text === '' && !isLast) return { piece: null, stopped };
    const tokens = takeTokens(isLast && !stopped);
    if (text === '' && tokens.length === 0) return { piece: null, stopped };
    const tokenIds = tokens.map(({ id }) => id);
    if (logprobs === undefined) return { piece: { text, tokenIds }, stopped };
    const scored = tokens.map(({ logprob }) => writeToken(logprob!, decoding));
    return { piece: { text, tokenIds, logprobs: scored }, stopped };
  }

  return {
    push(token) {
      pending.push({ token, start: decoded });
      const text = decoder.push(token.id);
      decoded += text.length;
      const scan = scanner.push(text);
      const built = build(scan.text, scan.stopped, false);
      const isCall = scan.stop !== undefined && scan.stop === callStart && !stop.includes(scan.stop);
      return isCall ? { ...built, stopped: false, begun: scan.rest } : built;
    },
    finish() {
      if (hasStopped) return { piece: null, stopped: true };
      const scan = scanner.push(decoder.flush());
      return build(scan.stopped ? scan.text : scan.text + scanner.flush(), scan.stopped, true);
    },
  };
}
