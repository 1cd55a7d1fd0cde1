// The streams that Ink uses as its terminal: its frames go to the painter, and it reads only what is typed into a field.
import { EventEmitter } from 'node:events';

/** Ink writes each frame in full, as it does for tests; the painter decides what reaches the terminal. */
export class InkOutput extends EventEmitter {
  columns: number;
  rows: number;
  readonly #paint: (frame: string) => void;

  constructor(size: { columns: number; rows: number }, paint: (frame: string) => void) {
    super();
    this.columns = size.columns;
    this.rows = size.rows;
    this.#paint = paint;
  }

  write = (frame: string): boolean => {
    this.#paint(frame);
    return true;
  };

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }
}

export class InkInput extends EventEmitter {
  readonly isTTY = true;
  readonly #waiting: string[] = [];

  type(bytes: string): void {
    this.#waiting.push(bytes);
    this.emit('readable');
  }

  read(): string | null {
    return this.#waiting.shift() ?? null;
  }

  setEncoding(): void {}
  setRawMode(): void {}
  ref(): void {}
  unref(): void {}
}
