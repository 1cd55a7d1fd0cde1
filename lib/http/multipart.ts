// Reads `multipart/form-data` as it arrives: the parts and their bytes, in order. Holds at most a chunk, however large a
// part is, and knows nothing about the fields' meaning.
import { ApiError } from '../contract/index.js';

export type FormPiece =
  /** The start of a part. */
  | { kind: 'part'; head: PartHead }
  /** More bytes of the current part; valid until the next piece is requested. */
  | { kind: 'bytes'; bytes: Uint8Array };

const HEAD_BYTES = 16 * 1024;
const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';

/** Throws an `ApiError` for a malformed or truncated form. Ignores anything after the last part. */
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

/** Whether another part follows the boundary. */
async function isFollowed(input: Input): Promise<boolean> {
  const mark = await input.take(2);
  if (mark !== LINE_END && mark !== '--') throw malformed('there is text after a boundary');
  return mark === LINE_END;
}

/** Bytes that have arrived and were not consumed yet. */
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

  /** The bytes before the mark, which is dropped. */
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

  /** The same, in pieces. */
  async *takeAllUntil(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark);
      // The mark may have started at the end.
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

/** A part's field name and file name. */
export interface PartHead {
  name: string;
  /** Null if the part is not a file. Never a path to write to. */
  fileName: string | null;
}

/** Throws for a part without a name, and for obsolete encodings. */
function readPartHead(bytes: Uint8Array): PartHead {
  const headers = readHeaders(new TextDecoder().decode(bytes));
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!PLAIN_ENCODINGS.has(encoding))
    throw malformed(`a part is encoded as ${encoding.slice(0, 40)}, which forms do not allow`);
  const { type, parameters } = readDisposition(headers.get('content-disposition') ?? '');
  const name = parameters.get('name');
  if (type !== 'form-data' || name === undefined)
    throw malformed('a part has no `Content-Disposition: form-data` with a name');
  return { name: decodeName(name), fileName: readFileName(parameters) };
}

export function malformed(reason: string): ApiError {
  return new ApiError('malformed_request', `The form is malformed: ${reason}.`);
}

const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary']);

function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined) throw malformed('a part has a header without a name');
    if (headers.has(name.toLowerCase())) throw malformed(`a part has two headers \`${name.slice(0, 40)}\``);
    headers.set(name.toLowerCase(), value!.trim());
  }
  return headers;
}

/** A plain value, or a quoted one, in which a backslash escapes a character. */
const PARAMETER = /;[ \t]*([!#$%&'*+.^`|~\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/y;

function readDisposition(value: string): { type: string; parameters: Map<string, string> } {
  const type = /^[^;\s]*[ \t]*/.exec(value)![0];
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = type.length;
  while (PARAMETER.lastIndex < value.length) {
    const [, name, quoted, plain] = PARAMETER.exec(value) ?? [];
    if (name === undefined || parameters.has(name.toLowerCase()))
      throw malformed('a part has an invalid `Content-Disposition`');
    parameters.set(name.toLowerCase(), quoted === undefined ? plain! : quoted.replace(/\\(["\\])/g, '$1'));
  }
  return { type: type.trim().toLowerCase(), parameters };
}

/** Some clients send non-ASCII names only in the extended form. */
function readFileName(parameters: ReadonlyMap<string, string>): string | null {
  const plain = parameters.get('filename');
  if (plain !== undefined) return decodeName(plain);
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '') ?? [];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw malformed('the name of a file is not valid UTF-8');
  }
}

/** Browsers and Node escape only these three characters in names. */
function decodeName(name: string): string {
  return name.replace(/%22|%0D|%0A/gi, escaped => decodeURIComponent(escaped));
}
