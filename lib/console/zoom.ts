// Zooming into a stretch of the x-axis: by a dragged range, or by keys around a place.
import type { XRange } from './chart-choices.js';

const FACTOR = 2;
/** Closer than this share of everything, there is nothing to see. */
const CLOSEST = 1e-4;

/** The stretch between two places, given as fractions of what is shown; null if they are too close to be meant. */
export function zoomBetween(shown: XRange, a: number, b: number): XRange | null {
  const [low, high] = a < b ? [a, b] : [b, a];
  if (high - low < 0.01) return null;
  const width = shown.to - shown.from;
  return { from: shown.from + low * width, to: shown.from + high * width };
}

/** Closer to a place on the axis, or away from it; null once everything is shown. */
export function zoomBy(whole: XRange, shown: XRange, place: number, direction: 1 | -1): XRange | null {
  const width = (shown.to - shown.from) * (direction > 0 ? 1 / FACTOR : FACTOR);
  const all = whole.to - whole.from;
  if (all <= 0 || width >= all) return null;
  if (width < all * CLOSEST) return shown;
  const share = (place - shown.from) / (shown.to - shown.from);
  const from = Math.min(Math.max(whole.from, place - share * width), whole.to - width);
  return { from, to: from + width };
}
