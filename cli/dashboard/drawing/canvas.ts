// The room a view has, what it may draw with, and what it gives back.
import type { Glyphs } from '../terminal/glyphs.js';
import type { Line } from './line.js';

export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly glyphs: Glyphs;
}

/** Where a text is being typed. */
export interface FieldPlace {
  /** Changes when another text is meant. */
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
