// Receives a form with one large file and small fields. The file is streamed to its receiver; fields may come before or
// after it, and the stream ends only once the whole form is valid.
import { ApiError } from '../contract/index.js';
import { type BodyOptions, limitUpload, requireMediaType } from './body.js';
import { type FormPiece, malformed, type PartHead, readMultipart } from './multipart.js';

interface FormReceiver<Result> {
  /** The file's field. */
  file: string;
  /** Throws for refused fields. Called before the file with the fields so far, and after it with all of them. */
  check(fields: Readonly<Record<string, string>>, isComplete: boolean): void;
  receive(fileName: string | null, bytes: AsyncIterable<Uint8Array>): Promise<Result>;
}

/** Throws an `ApiError` for a form that is malformed, truncated, or has no file. */
export async function receiveForm<Result>(
  request: Request,
  { file, check, receive }: FormReceiver<Result>,
  options?: BodyOptions,
): Promise<Result> {
  const boundary = readBoundary(request);
  const pieces = readMultipart(limitUpload(request, options), boundary);
  const fields = new Fields(file);
  try {
    const head = await fields.collect(pieces);
    if (!head) throw new ApiError('invalid_value', `\`${file}\` is required.`, { param: file });
    check(fields.read(), false);
    return await receive(
      head.fileName,
      streamFile(pieces, fields, () => check(fields.read(), true)),
    );
  } finally {
    await pieces.return();
  }
}

async function* streamFile(
  pieces: AsyncGenerator<FormPiece, void, undefined>,
  fields: Fields,
  onEnd: () => void,
): AsyncGenerator<Uint8Array> {
  let next = await pieces.next();
  for (; !next.done && next.value.kind === 'bytes'; next = await pieces.next()) yield next.value.bytes;
  if (!next.done && next.value.kind === 'part') fields.begin(next.value.head);
  if (await fields.collect(pieces)) throw fields.givenTwice();
  onEnd();
}

const FIELD_BYTES = 64 * 1024;
const MOST_FIELDS = 100;

/** The form's fields except the file. */
class Fields {
  readonly #file: string;
  readonly #chunks = new Map<string, Buffer[]>();
  #bytes = 0;
  #last: Buffer[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads up to the file and returns its head, or to the end. */
  async collect(pieces: AsyncGenerator<FormPiece, void, undefined>): Promise<PartHead | null> {
    for (;;) {
      const { done, value: piece } = await pieces.next();
      if (done) return null;
      if (piece.kind === 'bytes') this.#add(piece.bytes);
      else if (piece.head.name === this.#file) return piece.head;
      else this.begin(piece.head);
    }
  }

  begin({ name }: PartHead): void {
    if (name === this.#file) throw this.givenTwice();
    if (this.#chunks.has(name)) throw givenTwice(name);
    if (this.#chunks.size === MOST_FIELDS) throw malformed(`it has more than ${MOST_FIELDS} fields`);
    this.#last = [];
    this.#chunks.set(name, this.#last);
  }

  read(): Record<string, string> {
    return Object.fromEntries(
      [...this.#chunks].map(([name, chunks]) => [name, Buffer.concat(chunks).toString()]),
    );
  }

  givenTwice(): ApiError {
    return givenTwice(this.#file);
  }

  /** Copied, since a small view would keep its whole chunk. */
  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > FIELD_BYTES)
      throw new ApiError('body_too_large', `The form's fields are larger than ${FIELD_BYTES / 1024} KiB.`);
    this.#last.push(Buffer.from(bytes));
  }
}

function givenTwice(name: string): ApiError {
  const param = name.slice(0, 100);
  return new ApiError('invalid_value', `\`${param}\` is given more than once.`, { param });
}

/** The limits of RFC 2046. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

function readBoundary(request: Request): string {
  requireMediaType(request, 'multipart/form-data');
  const given = request.headers.get('content-type')!;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))\s*(?:;|$)/i.exec(given) ?? [];
  const boundary = quoted ?? plain ?? '';
  if (BOUNDARY.test(boundary)) return boundary;
  throw malformed('Content-Type names no valid boundary');
}
