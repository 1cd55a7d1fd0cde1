// What a teacher expected at each token of its answer: from OpenAI's format to that of a row.

/** A token by its text, or by its bytes if they are only a part of a character; and its log-probability. */
export type NamedToken = readonly [piece: string | readonly number[], logprob: number];

/** For each token of an answer: itself first, then the others that the teacher named. Null if it gave none. */
export function readLogprobs(content: unknown): NamedToken[][] | null {
  if (!Array.isArray(content) || content.length === 0) return null;
  const tokens = content.map(readToken);
  return tokens.every(token => token !== null) ? tokens : null;
}

/** Null if it is malformed, or has no alternatives. */
function readToken(entry: unknown): NamedToken[] | null {
  const { top_logprobs: top } = (entry ?? {}) as { top_logprobs?: unknown };
  const own = readNamed(entry);
  if (!own || !Array.isArray(top) || top.length === 0) return null;
  const piece = JSON.stringify(own[0]);
  const named = top.map(readNamed).filter(other => other !== null);
  const others = named.filter(other => JSON.stringify(other[0]) !== piece);
  return [own, ...others];
}

function readNamed(entry: unknown): NamedToken | null {
  const { token, bytes, logprob } = (entry ?? {}) as { token?: unknown; bytes?: unknown; logprob?: unknown };
  if (typeof logprob !== 'number' || !Number.isFinite(logprob)) return null;
  // Rounding may leave a little more than a probability of 1.
  const known = Math.min(0, logprob);
  if (Array.isArray(bytes) && bytes.every(byte => Number.isInteger(byte) && byte >= 0 && byte < 256))
    return [toPiece(bytes as number[]), known];
  return typeof token === 'string' ? [token, known] : null;
}

function toPiece(bytes: readonly number[]): NamedToken[0] {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return bytes;
  }
}

/** Others that are less likely are left to the rest, which keeps rows short. */
const LEAST = Math.log(1e-4);
const DIGITS = 5;

/** As a row has them. */
export function toRowLogprobs(tokens: readonly (readonly NamedToken[])[]): NamedToken[][] {
  return tokens.map(token =>
    token
      .filter(([, logprob], index) => index === 0 || logprob >= LEAST)
      .map(([piece, logprob]) => [piece, Number(logprob.toFixed(DIGITS))]),
  );
}
