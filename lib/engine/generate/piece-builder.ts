// Turns tokens into pieces of text: with whole characters, without stop sequences. A token belongs to the piece in
// which its text starts.
import { type GenerateRequest, type TextDecoding, type TextPiece, writeToken } from './request.js';
import type { SampledToken } from './sampler.js';

export interface BuiltPiece {
  /** The next piece; null if no text is certain yet. */
  piece: TextPiece | null;
  stopped: boolean;
  /** The stop sequence that was found. */
  stop?: string | undefined;
  /** The start of a call, which ended the free text, and any text after it. */
  begun?: string | undefined;
}

export interface PieceBuilder {
  /** `text`: what of the token's text belongs to the answer, if not all of it. If that is nothing, neither does the token. */
  push(token: SampledToken, text?: string): BuiltPiece;
  /** Leaves out white space before the next text, and its tokens. */
  skipSpace(): void;
  /** The remaining text, when no token follows. Empty after a stop sequence. */
  finish(): BuiltPiece;
}

export function createPieceBuilder(
  decoding: TextDecoding,
  { stop = [], logprobs, continues }: Pick<GenerateRequest, 'stop' | 'logprobs' | 'continues'>,
  callStarts: readonly string[] = [],
): PieceBuilder {
  const decoder = decoding.createStreamDecoder({ skipSpecialTokens: true, continues });
  const scanner = createStopScanner([...stop, ...callStarts]);
  const pending: { token: SampledToken; start: number }[] = [];
  let decoded = 0;
  let emitted = 0;
  let hasStopped = false;
  let skipsSpace = false;
  let foundStop: string | undefined;

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
    push(token, part) {
      const given = part ?? decoder.push(token.id);
      if (part !== '') pending.push({ token, start: decoded });
      const text = skipsSpace ? given.trimStart() : given;
      if (text === '' && given !== '') pending.length = 0;
      if (text !== '') skipsSpace = false;
      decoded += text.length;
      const scan = scanner.push(text);
      const built = build(scan.text, scan.stopped, false);
      const { stop: found, rest = '' } = scan;
      const isCall = found !== undefined && callStarts.includes(found) && !stop.includes(found);
      if (isCall) return { ...built, stopped: false, begun: found + rest };
      foundStop ??= found;
      return built;
    },
    skipSpace() {
      skipsSpace = true;
    },
    finish() {
      if (hasStopped) return { piece: null, stopped: foundStop !== undefined, stop: foundStop };
      const scan = scanner.push(decoder.flush());
      const rest = scan.stopped ? scan.text : scan.text + scanner.flush();
      return { ...build(rest, scan.stopped, true), stop: scan.stop };
    },
  };
}

interface Scan {
  /** Text that cannot be part of a stop sequence. */
  text: string;
  stopped: boolean;
  /** The stop sequence that was found, and what follows it. */
  stop?: string;
  rest?: string;
}

interface StopScanner {
  push(text: string): Scan;
  /** The text held back, when nothing follows. */
  flush(): string;
}

/** Finds stop sequences in streamed text, wherever it is cut. Text that may still become one is held back. */
export function createStopScanner(stops: readonly string[]): StopScanner {
  const wanted = stops.filter(stop => stop !== '');
  let held = '';
  return {
    push(text) {
      const all = held + text;
      const found = findFirst(all, wanted);
      if (found) {
        held = '';
        const { at, stop } = found;
        return { text: all.slice(0, at), stopped: true, stop, rest: all.slice(at + stop.length) };
      }
      const kept = Math.max(0, ...wanted.map(stop => overlap(all, stop)));
      held = all.slice(all.length - kept);
      return { text: all.slice(0, all.length - kept), stopped: false };
    },
    flush() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** The stop sequence that is complete first, so that the result does not depend on the cuts. */
function findFirst(text: string, stops: readonly string[]): { at: number; stop: string } | undefined {
  const ends = stops.map(stop => ({ at: text.indexOf(stop), stop })).filter(({ at }) => at >= 0);
  ends.sort((a, b) => a.at + a.stop.length - (b.at + b.stop.length) || a.at - b.at);
  return ends[0];
}

/** The number of characters at the end of the text that may be the start of this stop sequence. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(stop.length - 1, text.length); length > 0; length--)
    if (text.endsWith(stop.slice(0, length))) return length;
  return 0;
}
