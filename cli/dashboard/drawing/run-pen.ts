// The color and the mark of a compared run, by its place.
import type { Glyphs } from '../terminal/glyphs.js';
import type { Pen } from './chart-drawing.js';
import type { Tone } from './line.js';

const TONES: readonly Tone[] = ['run1', 'run2', 'run3', 'run4', 'run5', 'run6'];

export function runPen(place: number, { runMarks }: Glyphs): Pen {
  return { style: { tone: TONES[place % TONES.length] }, mark: runMarks[place % runMarks.length]! };
}
