// Reads `multipart/form-data` as it arrives: the parts and their bytes, in order. Holds no more than a chunk, however
// large a part is, and knows nothing of what the fields mean.
import { malformed, type PartHead, readPartHead } from './part-head.js';

export type FormPiece =
  /** A part begins. */
  | { kind: 'part'; head: PartHead }
  /** More of the part that began last; valid until the next piece is asked for. */
  | { kind: 'bytes'; bytes: Uint8Array };

const HEAD_BYTES = 16 * 1024;
const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';

/** Throws an `ApiError` for a form that is malformed or cut off. What follows the last part is ignored. */
export async function* readMultipart(
  source: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<FormPiece, void, undefined> {
  const chunks = source[Symbol.asyncIterator]();
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  try {
    const input = new Input(chunks);
    if ((await input.take(delimiter.length)) !== delimiter.toString('latin1'))
      throw malformed('it does not start with its boundary');
    while (await isFollowed(input)) {
      yield { kind: 'part', head: readPartHead(await input.takeUntil(HEAD_END, HEAD_BYTES)) };
      for await (const bytes of input.takeAllUntil(delimiter)) yield { kind: 'bytes', bytes };
    }
  } finally {
    await chunks.return?.();
  }
}

/** Whether another part comes after a boundary. */
async function isFollowed(input: Input): Promise<boolean> {
  const mark = await input.take(2);
  if (mark !== LINE_END && mark !== '--') throw malformed('there is text after a boundary');
  return mark === LINE_END;
}

/** Bytes that have arrived and were not taken yet. */
class Input {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** Every boundary follows the end of a line; so does the first. */
  #held: Buffer = Buffer.from(LINE_END);

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  async take(length: number): Promise<string> {
    while (this.#held.length < length) await this.#grow();
    return this.#cut(length).toString('latin1');
  }

  /** What comes before the mark, which is dropped. */
  async takeUntil(mark: string, most: number): Promise<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at > most || (at < 0 && this.#held.length > most))
        throw malformed('the head of a part is too large');
      if (at >= 0) {
        const found = this.#cut(at);
        this.#cut(mark.length);
        return found;
      }
      await this.#grow();
    }
  }

  /** The same, piece by piece. */
  async *takeAllUntil(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      // The mark may have begun at the end.
      const sure = at < 0 ? this.#held.length - mark.length + 1 : at;
      if (sure > 0) yield this.#cut(sure);
      if (at >= 0) {
        this.#cut(mark.length);
        return;
      }
      await this.#grow();
    }
  }

  #cut(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async #grow(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done) throw malformed('it ends before its last boundary');
    this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value]);
  }
}
