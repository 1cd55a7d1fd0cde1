// Keeps the tokens of encoded rows in a scratch file, so that later epochs need not encode them again, with four bytes of
// memory per row. Rows that do not fit are not kept, which only costs time.
import { openScratchFile, readAt, type ScratchFile } from './data/index.js';
import type { Example } from './packing.js';
import { decodeSoft, encodeSoft } from './token-file.js';

export interface EncodedExample extends Example {
  /** Empty for a skipped row. */
  readonly ids: Int32Array;
  readonly supervised: Uint8Array;
  /** In tokens, before truncation. */
  readonly length: number;
}

interface TokenCache {
  get(row: number): EncodedExample | null;
  put(row: number, example: EncodedExample): void;
  close(): void;
}

const HEADER = 5;
const WORD = Int32Array.BYTES_PER_ELEMENT;
/** Collected in memory before writing, so that small data sets need no file. */
const TAIL_WORDS = 1 << 20;
/** Read first, since most rows fit. */
const FIRST_READ_BYTES = 4096;
const MOST_WORDS = 2 ** 32 - 1;

export function createTokenCache(rows: number, folder: string): TokenCache {
  /** Each row's offset in words plus one; 0 for rows that are not cached. */
  const offsets = new Uint32Array(rows);
  const tail = new Int32Array(TAIL_WORDS);
  let written = 0;
  let used = 0;
  let file: ScratchFile | undefined;
  let isFull = false;

  function writeTail(): void {
    try {
      file ??= openScratchFile(folder);
      file.append(new Uint8Array(tail.buffer, 0, used * WORD));
      written += used;
      used = 0;
    } catch {
      isFull = true;
    }
  }

  function readWords(offset: number): Int32Array {
    if (offset >= written) return tail.subarray(offset - written);
    const first = toWords(readAt(file!.fd, offset * WORD, FIRST_READ_BYTES));
    const [size = 0] = first;
    return size <= first.length ? first : toWords(readAt(file!.fd, offset * WORD, size * WORD));
  }

  return {
    get(row) {
      const offset = offsets[row]!;
      return offset === 0 ? null : decode(readWords(offset - 1));
    },
    put(row, example) {
      const words = encode(example);
      if (words.length > TAIL_WORDS || written + used + words.length > MOST_WORDS) return;
      if (used + words.length > TAIL_WORDS && !isFull) writeTail();
      if (used + words.length > TAIL_WORDS) return;
      tail.set(words, used);
      offsets[row] = written + used + 1;
      used += words.length;
    },
    close: () => file?.close(),
  };
}

/**
 * Size, length, chosen tokens of a pair or 0, token count, words of a teacher, the tokens, those words, then the lengths of
 * alternating runs: not learned, learned, and so on.
 */
function encode({ ids, supervised, length, chosen = 0, soft }: EncodedExample): Int32Array {
  const taught = encodeSoft(soft);
  const runs: number[] = [];
  let [from, learned] = [0, 0];
  for (let i = 0; i < supervised.length; i++) {
    if (supervised[i] === learned) continue;
    runs.push(i - from);
    [from, learned] = [i, 1 - learned];
  }
  const words = new Int32Array(HEADER + ids.length + taught.length + runs.length);
  words.set([words.length, length, chosen, ids.length, taught.length]);
  words.set(ids, HEADER);
  words.set(taught, HEADER + ids.length);
  words.set(runs, HEADER + ids.length + taught.length);
  return words;
}

function decode(words: Int32Array): EncodedExample {
  const [size = 0, length = 0, chosen = 0, count = 0, taught = 0] = words;
  const end = HEADER + count;
  const supervised = new Uint8Array(count);
  let [at, learned] = [0, 0];
  for (const run of words.subarray(end + taught, size)) {
    if (learned) supervised.fill(1, at, at + run);
    at += run;
    learned = 1 - learned;
  }
  if (learned) supervised.fill(1, at);
  const ids = words.slice(HEADER, end);
  const soft = decodeSoft(words.slice(end, end + taught));
  return { ids, supervised, length, ...(chosen > 0 && { chosen }), ...(soft && { soft }) };
}

function toWords(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / WORD));
}
