// Puts the screen together: what the dashboard draws, with the text field as Ink draws it.
import type { Cells } from '../cells/cells.js';
import type { Drawn } from '../drawing/canvas.js';
import { layField } from '../drawing/lay-field.js';
import { layLines } from '../drawing/lay-lines.js';
import type { Line } from '../drawing/line.js';
import type { Look } from '../terminal/look.js';
import type { FieldSlot } from './field-slot.js';

interface FramesOptions {
  readonly draw: () => Drawn;
  readonly slot: FieldSlot;
  readonly look: Look;
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly paint: (cells: Cells) => void;
}

interface Frames {
  /** Draws everything anew. */
  draw(): void;
  /** Ink has drawn the text field. */
  takeField(frame: string): void;
}

export function createFrames({ draw, slot, look, size, paint }: FramesOptions): Frames {
  let lines: readonly Line[] = [];
  let fieldFrame = '';

  function show(): void {
    const cells = layLines(lines, size(), look);
    if (slot.field) layField(cells, slot.field, fieldFrame, look);
    paint(cells);
  }

  return {
    draw() {
      const drawn = draw();
      ({ lines } = drawn);
      slot.show(drawn.field);
      show();
    },
    takeField(frame) {
      fieldFrame = frame;
      show();
    },
  };
}
