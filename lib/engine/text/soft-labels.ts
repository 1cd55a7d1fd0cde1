// What a teacher expected at each token of its answer, as a row of a data set has it, in the tokens of this model. Both have to
// have the same tokenizer: that is checked token by token.
import { TextError } from './errors.js';
import { LOGPROBS } from './row-formats.js';

/** How many tokens a teacher may name besides the answer's own: as many as OpenAI's API gives. */
export const MOST_ALTERNATIVES = 20;

export interface SoftLabels {
  /** The place of the first token that has them. */
  readonly first: number;
  /** Of each token from there on, where its entries end. */
  readonly ends: Int32Array;
  /** The entries: first the token itself, then others that the teacher named. */
  readonly ids: Int32Array;
  /** The teacher's probabilities of them. What they lack to 1 is for all other tokens. */
  readonly shares: Float32Array;
}

/** A token by its text, or by its bytes if they are only a part of a character; and its log-probability. */
type NamedToken = readonly [piece: string | readonly number[], logprob: number];

/** The part of a model's text that names tokens. */
export interface TokenNames {
  bytesOf(id: number): Uint8Array;
  idOf(bytes: Uint8Array): number | undefined;
  /** Whether it may follow an answer: a mark, or white space. */
  mayFollow(id: number): boolean;
  /** How many of an answer's tokens are a thought without words, which a teacher may not have had. */
  countEmptyThought(ids: Int32Array): number;
}

/**
 * Reads a row's `logprobs`, which are about the tokens of `ids` from `from` to `to`, where the answer is. Marks that end the
 * answer may follow there, and an empty thought may come before it. Throws a `TextError` if the tokenizers differ: the texts of
 * both, or a token that this model does not have. A teacher may still write a text in other tokens than its tokenizer would. Then
 * only what it expected before the first of those is about the same place.
 */
export function readSoftLabels(
  given: unknown,
  ids: Int32Array,
  { from, to }: { from: number; to: number },
  names: TokenNames,
): SoftLabels {
  const tokens = readTokens(given).map(readNamed);
  // One without a text ends the answer.
  if (tokens.at(-1)?.[0].bytes.length === 0) tokens.pop();
  const said = ids.subarray(from, to);
  const hasOwn = tokens.length > 0 && said.length > 0 && isSame(tokens[0]![0].bytes, names.bytesOf(said[0]!));
  const first = from + (hasOwn ? 0 : names.countEmptyThought(said));
  const answer = ids.subarray(first, to);
  const own = Array.from(answer, names.bytesOf);
  const differing = tokens.findIndex(([{ bytes }], index) => !own[index] || !isSame(bytes, own[index]));
  const same = differing < 0 ? tokens.length : differing;
  const end = findEnd(
    own.slice(same),
    tokens.slice(same).map(([{ bytes }]) => bytes),
  );
  const isWhole = end !== null && answer.subarray(same + end).every(names.mayFollow);
  if (!isWhole) throw differs(same, tokens[same]?.[0].bytes, own[same]);
  const ends: number[] = [];
  const entries: Entry[] = [];
  for (const [index, token] of tokens.entries()) {
    const found = toEntries(token, index, names);
    if (index >= same) continue;
    const id = answer[index]!;
    const others = [...found].filter(([other]) => other !== id);
    entries.push([id, token[0].share], ...others);
    ends.push(entries.length);
  }
  return {
    first,
    ends: Int32Array.from(ends),
    ids: Int32Array.from(entries, ([id]) => id),
    shares: Float32Array.from(entries, ([, share]) => share),
  };
}

type Entry = [id: number, share: number];

/** The probabilities of what the teacher names, by the tokens of this model. */
function toEntries(token: ReadToken, index: number, { idOf }: TokenNames): Map<number, number> {
  const shares = new Map<number, number>();
  for (const { bytes, share } of token) {
    // The model could not tell one without a text from others.
    if (bytes.length === 0) continue;
    const id = idOf(bytes);
    if (id === undefined) throw unknown(index, bytes);
    shares.set(id, (shares.get(id) ?? 0) + share);
  }
  return shares;
}

/** How many of the first tokens have the same bytes as all of the second ones; null if none have. */
function findEnd(tokens: readonly Uint8Array[], others: readonly Uint8Array[]): number | null {
  const wanted = Buffer.concat(others);
  for (let [count, length] = [0, 0]; ; length += tokens[count++]!.length) {
    if (length === wanted.length) return isSame(Buffer.concat(tokens.slice(0, count)), wanted) ? count : null;
    if (length > wanted.length || count === tokens.length) return null;
  }
}

/** Of the tokens before a place. Undefined if there are none. */
export function cutSoftLabels(soft: SoftLabels, at: number): SoftLabels | undefined {
  const kept = at - soft.first;
  if (kept >= soft.ends.length) return soft;
  if (kept <= 0) return undefined;
  const end = soft.ends[kept - 1]!;
  return {
    first: soft.first,
    ends: soft.ends.slice(0, kept),
    ids: soft.ids.slice(0, end),
    shares: soft.shares.slice(0, end),
  };
}

/** Tables such as CSV have them as a text. */
function readTokens(given: unknown): readonly unknown[] {
  const tokens = typeof given === 'string' ? parse(given) : given;
  if (!Array.isArray(tokens)) throw new TextError(`${LOGPROBS} is not a list`);
  return tokens;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TextError(`${LOGPROBS} is not valid JSON`);
  }
}

interface NamedShare {
  bytes: Uint8Array;
  share: number;
}

/** The token itself, then others. */
type ReadToken = [own: NamedShare, ...others: NamedShare[]];

function readNamed(token: unknown, index: number): ReadToken {
  const at = `${LOGPROBS}[${index}]`;
  if (!Array.isArray(token) || token.length === 0 || !token.every(isNamedToken))
    throw new TextError(
      `${at} is not a list of tokens with their log-probabilities, such as [["yes", -0.1], ["no", -2.4]]`,
    );
  const others = token.length - 1;
  if (others > MOST_ALTERNATIVES)
    throw new TextError(`${at} has ${others} tokens besides its own; ${MOST_ALTERNATIVES} is the most`);
  return token.map(([piece, logprob]) => ({
    bytes: toBytes(piece),
    share: Math.exp(logprob),
  })) as ReadToken;
}

function isNamedToken(value: unknown): value is NamedToken {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [piece, logprob] = value as [unknown, unknown];
  const isPiece = typeof piece === 'string' || (Array.isArray(piece) && piece.every(isByte));
  return isPiece && typeof logprob === 'number' && logprob <= 0;
}

const isByte = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256;

function toBytes(piece: NamedToken[0]): Uint8Array {
  return typeof piece === 'string' ? new TextEncoder().encode(piece) : Uint8Array.from(piece);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

const ADVICE =
  'a distribution can only be learned from a teacher with the same tokenizer; without `soft`, answers alone are learned, from any teacher';

/** One of both may have no more tokens. */
function differs(index: number, teachers: Uint8Array | undefined, own: Uint8Array | undefined): TextError {
  const write = (bytes: Uint8Array | undefined) => (bytes ? quote(bytes) : 'none');
  return new TextError(
    `token ${index + 1} of its answer is ${write(teachers)} for the teacher, and ${write(own)} for this model; ${ADVICE}`,
  );
}

function unknown(index: number, bytes: Uint8Array): TextError {
  return new TextError(
    `the teacher names ${quote(bytes)} as token ${index + 1} of its answer, which is not a token of this model; ${ADVICE}`,
  );
}

function quote(bytes: Uint8Array): string {
  return JSON.stringify(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
}
