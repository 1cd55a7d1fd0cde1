// Finds the location of every row in one quick pass, so that rows can be read in any order. Separates the rows without
// parsing them.
import { createHash, type Hash } from 'node:crypto';
import { openSync } from 'node:fs';
import { DatasetError } from './dataset.js';
import { type Bytes, hasByteOrderMark, isGzip, readBytes } from './read-bytes.js';
import { parseJsonRow } from './read-json.js';
import { readParquet } from './read-parquet.js';
import { layouts, type OpenFile } from './read-rows.js';
import { decodeRow, type Layout } from './row-buffer.js';
import { createRowTable, type IndexedFile, RowLocations, type RowTable } from './row-table.js';
import { openScratchFile, type ScratchFile } from './scratch-file.js';

export interface IndexOptions {
  /** For copies of rows that cannot be addressed in their file, as in Parquet or compressed files. */
  readonly scratchFolder: string;
  /** Called from time to time with the number of rows found so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const REPORT_EVERY = 1000;

/** The rows of all files in order; throws if there are none. */
export async function indexRows(files: readonly OpenFile[], options: IndexOptions): Promise<RowTable> {
  const pass = new IndexPass(options);
  try {
    for (const file of files) await pass.add(file);
    const table = pass.finish();
    if (table.length > 0) return table;
    throw new DatasetError(files[0]?.name ?? 'data', 'contains no rows');
  } catch (error) {
    pass.finish().close();
    throw error;
  }
}

class IndexPass {
  readonly #options: IndexOptions;
  readonly #hash: Hash = createHash('sha256');
  readonly #files: IndexedFile[] = [];
  #scratch: ScratchFile | undefined;
  #rows = 0;

  constructor(options: IndexOptions) {
    this.#options = options;
  }

  async add(file: OpenFile): Promise<void> {
    if (file.columns) this.#hash.update(JSON.stringify(file.columns));
    if (file.format === 'parquet') return this.#addParquet(file);
    const layout = layouts[file.format](file);
    if (await isGzip(file)) return this.#addZipped(file, layout);
    const contentStart = (await hasByteOrderMark(file)) ? 3 : 0;
    const locations = this.#open(file, openSync(file.path, 'r'), contentStart, layout.parse);
    await this.#find(layout, readBytes(file, this.#options.signal), locations);
  }

  finish(): RowTable {
    return createRowTable(this.#files, this.#hash.copy().digest('hex'));
  }

  async #addZipped(file: OpenFile, layout: Layout): Promise<void> {
    const scratch = this.#openScratch();
    const locations = this.#open(file, scratch.fd, scratch.size, layout.parse);
    const bytes = readBytes(file, this.#options.signal);
    await this.#find(layout, copyTo(scratch, bytes), locations);
  }

  async #addParquet(file: OpenFile): Promise<void> {
    const scratch = this.#openScratch();
    const parse = (bytes: Uint8Array, number: number) =>
      parseJsonRow(decodeRow(bytes, file.name, number), number, file.name);
    const contentStart = scratch.size;
    const locations = this.#open(file, scratch.fd, contentStart, parse);
    const lines = new LineWriter(scratch);
    for await (const { row, number } of readParquet(file, this.#options.signal)) {
      const line = Buffer.from(JSON.stringify(row));
      this.#hash.update(line);
      locations.add(lines.add(line) - contentStart, line.length, number);
      this.#count();
    }
    lines.flush();
  }

  async #find(layout: Layout, bytes: Bytes, locations: RowLocations): Promise<void> {
    try {
      for await (const { start, end, row } of layout.rows(this.#hashed(bytes))) {
        locations.add(start, end - start, row);
        this.#count();
      }
    } catch (error) {
      // An earlier row may be invalid, too: this pass does not parse rows, and the error should name the first one.
      const { length, read } = this.finish();
      if (error instanceof DatasetError) for (let row = 0; row < length; row++) read(row);
      throw error;
    }
  }

  async *#hashed(bytes: Bytes): Bytes {
    for await (const chunk of bytes) {
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  #open(file: OpenFile, fd: number, contentStart: number, parse: IndexedFile['parse']): RowLocations {
    const locations = new RowLocations();
    this.#files.push({ name: file.name, fd, contentStart, locations, parse });
    return locations;
  }

  #openScratch(): ScratchFile {
    this.#scratch ??= openScratchFile(this.#options.scratchFolder);
    return this.#scratch;
  }

  #count(): void {
    if (++this.#rows % REPORT_EVERY === 0) this.#options.onRows?.(this.#rows);
  }
}

async function* copyTo(scratch: ScratchFile, bytes: Bytes): Bytes {
  for await (const chunk of bytes) {
    scratch.append(chunk);
    yield chunk;
  }
}

const LINES_AT_ONCE = 1 << 20;

/** Appends lines to a file in large batches. */
class LineWriter {
  readonly #file: ScratchFile;
  #waiting: Uint8Array[] = [];
  #bytes = 0;

  constructor(file: ScratchFile) {
    this.#file = file;
  }

  /** Returns the line's position in the file. */
  add(line: Uint8Array): number {
    const at = this.#file.size + this.#bytes;
    this.#waiting.push(line);
    this.#bytes += line.length;
    if (this.#bytes >= LINES_AT_ONCE) this.flush();
    return at;
  }

  flush(): void {
    this.#file.append(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#bytes = 0;
  }
}
