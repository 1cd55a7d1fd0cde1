// System prompts that only set a tone.
import type { Draw } from './draw.js';
import type { Turn } from './family.js';
import data from './manners.json' with { type: 'json' };
import { readTexts } from './texts.js';

const { MANNERS } = readTexts(data);

/** Usually no system turn. */
export function drawManners(draw: Draw): Turn[] {
  return draw.chance(0.25) ? [{ role: 'system', content: draw.wording(MANNERS) }] : [];
}
