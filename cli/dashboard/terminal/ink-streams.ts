// What Ink takes for a terminal: frames that it draws go to the painter, and it hears only what is typed into a field.
import { EventEmitter } from 'node:events';

/** Ink writes each frame whole, as it does for tests; what of it reaches the terminal is decided by the painter. */
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
