// Rows as tokens in a safetensors file, for trainers on other machines: `ids` and `learned` for every token, `offsets` of
// the rows, and `rows`, their places in the data set. A skipped row is empty. Of pairs also `chosen`: how many tokens belong
// to the chosen answer. With a teacher's distribution also `taught`, the words of `soft-words.ts`, and `taught_offsets`, where those
// of each row start.
import { closeSync, fstatSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { replaceFile } from '../../system/index.js';
import type { SoftLabels } from '../text/index.js';
import { encodeSafetensorsHeader, parseSafetensorsHeader, WeightsError } from '../weights/index.js';
import { readAt } from './data/index.js';
import type { Example, ExampleSet } from './packing.js';

const HEADER_BYTES = 64 * 1024;
const BYTES_AT_ONCE = 1 << 20;

/** Written once the file is complete. Returns how many tokens it has. */
export async function writeTokenFile(path: string, set: ExampleSet): Promise<number> {
  const offsets = new BigInt64Array(set.length + 1);
  const rows = new Int32Array(set.length);
  const chosen = new Int32Array(set.length);
  const taught = new BigInt64Array(set.length + 1);
  let [tokens, words] = [0, 0];
  for (let index = 0; index < set.length; index++) {
    const example = set.at(index);
    tokens += example?.ids.length ?? 0;
    chosen[index] = example?.chosen ?? 0;
    words += encodeSoft(example?.soft).length;
    offsets[index + 1] = BigInt(tokens);
    taught[index + 1] = BigInt(words);
    rows[index] = set.rowOf?.(index) ?? index;
    if (index % 1000 === 0) await setImmediate();
  }
  await replaceFile(
    path,
    contentOf(set, {
      ...{ offsets, rows, tokens, words },
      chosen: chosen.some(Boolean) ? chosen : null,
      taught: words > 0 ? taught : null,
    }),
  );
  return tokens;
}

interface Table {
  offsets: BigInt64Array;
  rows: Int32Array;
  /** Null if no row is a pair. */
  chosen: Int32Array | null;
  tokens: number;
  /** Null if no row has a teacher's distribution. */
  taught: BigInt64Array | null;
  words: number;
}

async function* contentOf(
  set: ExampleSet,
  { offsets, rows, chosen, tokens, taught, words }: Table,
): AsyncGenerator<Uint8Array> {
  yield encodeSafetensorsHeader([
    { name: 'offsets', dtype: 'I64', shape: [offsets.length] },
    ...(taught ? [{ name: 'taught_offsets', dtype: 'I64', shape: [taught.length] } as const] : []),
    { name: 'ids', dtype: 'I32', shape: [tokens] },
    { name: 'rows', dtype: 'I32', shape: [rows.length] },
    ...(chosen ? [{ name: 'chosen', dtype: 'I32', shape: [chosen.length] } as const] : []),
    ...(taught ? [{ name: 'taught', dtype: 'I32', shape: [words] } as const] : []),
    { name: 'learned', dtype: 'U8', shape: [tokens] },
  ]);
  yield bytesOf(offsets);
  if (taught) yield bytesOf(taught);
  yield* collect(set, ({ ids }) => bytesOf(Int32Array.from(ids)));
  yield bytesOf(rows);
  if (chosen) yield bytesOf(chosen);
  if (taught) yield* collect(set, ({ soft }) => bytesOf(encodeSoft(soft)));
  yield* collect(set, ({ supervised }) => Uint8Array.from(supervised, Number));
}

async function* collect(
  set: ExampleSet,
  encode: (example: Example) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  let [pieces, bytes]: [Uint8Array[], number] = [[], 0];
  for (let index = 0; index < set.length; index++) {
    const example = set.at(index);
    if (!example) continue;
    const piece = encode(example);
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < BYTES_AT_ONCE) continue;
    yield Buffer.concat(pieces);
    [pieces, bytes] = [[], 0];
    await setImmediate();
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}

function bytesOf({ buffer, byteOffset, byteLength }: BigInt64Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

interface TokenRows extends Required<ExampleSet> {
  close(): void;
}

/** Reads rows on demand. Throws a `WeightsError` if the file is incomplete. */
export function openTokenFile(path: string): TokenRows {
  const fd = openSync(path, 'r');
  try {
    const tensors = parseSafetensorsHeader(readAt(fd, 0, HEADER_BYTES), fstatSync(fd).size, path);
    const placeOf = (name: string) => {
      const tensor = tensors.get(name);
      if (!tensor) throw new WeightsError(path, 'is missing', { tensor: name });
      return tensor;
    };
    const whole = (name: string) => {
      const { byteOffset, byteLength } = placeOf(name);
      return readAt(fd, byteOffset, byteLength).buffer;
    };
    const offsets = new BigInt64Array(whole('offsets'));
    const rows = new Int32Array(whole('rows'));
    const chosen = tensors.has('chosen') ? new Int32Array(whole('chosen')) : null;
    const [ids, learned] = [placeOf('ids').byteOffset, placeOf('learned').byteOffset];
    const readSoft = tensors.has('taught')
      ? softReader(fd, placeOf('taught'), whole('taught_offsets'))
      : null;
    if (offsets.length !== rows.length + 1) throw new WeightsError(path, 'its offsets do not fit its rows');
    return {
      length: rows.length,
      at(index) {
        const [from, to] = [Number(offsets[index]), Number(offsets[index + 1])];
        if (from === to) return null;
        return {
          ids: new Int32Array(readAt(fd, ids + 4 * from, 4 * (to - from)).buffer),
          supervised: readAt(fd, learned + from, to - from),
          ...(chosen && { chosen: chosen[index]! }),
          ...readSoft?.(index),
        };
      },
      rowOf: index => rows[index]!,
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Reads what the teacher of a row expected. */
function softReader(fd: number, { byteOffset }: { byteOffset: number }, places: ArrayBufferLike) {
  const offsets = new BigInt64Array(places);
  return (index: number): Pick<Example, 'soft'> => {
    const [from, to] = [Number(offsets[index]), Number(offsets[index + 1])];
    const soft = decodeSoft(new Int32Array(readAt(fd, byteOffset + 4 * from, 4 * (to - from)).buffer));
    return soft ? { soft } : {};
  };
}

/**
 * What a teacher expected as 32-bit integers, in caches and files of tokens: the first token, how many have entries, where those of
 * each end, then all tokens, and their shares by their bits.
 */
export function encodeSoft(soft: SoftLabels | undefined): Int32Array {
  if (!soft) return new Int32Array();
  const { first, ends, ids, shares } = soft;
  const words = new Int32Array(2 + ends.length + 2 * ids.length);
  words.set([first, ends.length]);
  words.set(ends, 2);
  words.set(ids, 2 + ends.length);
  words.set(new Int32Array(shares.buffer, shares.byteOffset, shares.length), 2 + ends.length + ids.length);
  return words;
}

/** Undefined for no words. */
export function decodeSoft(words: Int32Array): SoftLabels | undefined {
  if (words.length === 0) return undefined;
  const [first = 0, count = 0] = words;
  const ends = words.slice(2, 2 + count);
  const entries = words.slice(2 + count);
  const middle = entries.length / 2;
  return {
    first,
    ends,
    ids: entries.slice(0, middle),
    shares: new Float32Array(entries.slice(middle).buffer),
  };
}
