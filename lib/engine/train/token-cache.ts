// The tokens of rows that were encoded once, in a scratch file: later epochs read them back instead of encoding anew,
// and memory holds four bytes a row. What finds no room is not kept, which costs time and nothing else.
import { openScratchFile, readAt, type ScratchFile } from './data/index.js';
import type { Example } from './packing.js';

export interface EncodedExample extends Example {
  /** Empty for a row that is left out. */
  readonly ids: Int32Array;
  readonly supervised: Uint8Array;
  /** In tokens, before anything was cut. */
  readonly length: number;
}

export interface TokenCache {
  get(row: number): EncodedExample | null;
  put(row: number, coded: EncodedExample): void;
  close(): void;
}

const WORD = Int32Array.BYTES_PER_ELEMENT;
/** How much is gathered in memory before it is written: small data sets need no file. */
const TAIL_WORDS = 1 << 20;
/** Read at once, in the hope that the row is no longer. */
const GLANCE_BYTES = 4096;
const MOST_WORDS = 2 ** 32 - 1;

export function createTokenCache(rows: number, folder: string): TokenCache {
  /** Of each row, where it lies in words, and one more; 0 for those that are not there. */
  const places = new Uint32Array(rows);
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

  function readWords(place: number): Int32Array {
    if (place >= written) return tail.subarray(place - written);
    const glance = toWords(readAt(file!.fd, place * WORD, GLANCE_BYTES));
    const [size = 0] = glance;
    return size <= glance.length ? glance : toWords(readAt(file!.fd, place * WORD, size * WORD));
  }

  return {
    get(row) {
      const place = places[row]!;
      return place === 0 ? null : decode(readWords(place - 1));
    },
    put(row, coded) {
      const words = encode(coded);
      if (words.length > TAIL_WORDS || written + used + words.length > MOST_WORDS) return;
      if (used + words.length > TAIL_WORDS && !isFull) writeTail();
      if (used + words.length > TAIL_WORDS) return;
      tail.set(words, used);
      places[row] = written + used + 1;
      used += words.length;
    },
    close: () => file?.close(),
  };
}

/** Size, length, number of tokens, the tokens, and runs of tokens that are in turns not learned and learned. */
function encode({ ids, supervised, length }: EncodedExample): Int32Array {
  const runs: number[] = [];
  let [from, learned] = [0, 0];
  for (let i = 0; i < supervised.length; i++) {
    if (supervised[i] === learned) continue;
    runs.push(i - from);
    [from, learned] = [i, 1 - learned];
  }
  const words = new Int32Array(3 + ids.length + runs.length);
  words.set([words.length, length, ids.length]);
  words.set(ids, 3);
  words.set(runs, 3 + ids.length);
  return words;
}

function decode(words: Int32Array): EncodedExample {
  const [size = 0, length = 0, count = 0] = words;
  const supervised = new Uint8Array(count);
  let [at, learned] = [0, 0];
  for (const run of words.subarray(3 + count, size)) {
    if (learned) supervised.fill(1, at, at + run);
    at += run;
    learned = 1 - learned;
  }
  if (learned) supervised.fill(1, at);
  return { ids: words.slice(3, 3 + count), supervised, length };
}

function toWords(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / WORD));
}
