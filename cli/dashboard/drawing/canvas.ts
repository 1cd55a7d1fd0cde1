// The area a view draws in, its glyphs, and what it returns.
import type { Glyphs } from '../terminal/glyphs.js';
import type { Line } from './line.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Canvas extends Size {
  readonly glyphs: Glyphs;
}

/** The position of the active text field. */
export interface FieldPlace {
  /** Differs for each field. */
  readonly id: string;
  readonly row: number;
  readonly column: number;
  readonly width: number;
  readonly value: string;
  change(value: string): void;
}

export interface Drawn {
  readonly lines: readonly Line[];
  readonly field?: FieldPlace | undefined;
}
