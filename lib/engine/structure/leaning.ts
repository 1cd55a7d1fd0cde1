// Makes answers of small models end: what may go on without a limit is the likelier to end, the more of the tokens that were
// left it has taken. A string counts from its start; lists, objects and calls from the start of the answer.
import type { Phase } from './phase.js';

/** Added to the logits of what ends it, at the last token. Nothing is added in the first half. */
const MOST = 40;

/** Returns the logits to choose from. */
export type Lean = (logits: Float32Array, phase: Phase, left: number) => Float32Array;

export function createLeaning(): Lean {
  let atStart: number | null = null;
  let atString: number | null = null;

  return (logits, phase, left) => {
    const { isString = false, ends = [] } = phase.goesOn?.() ?? {};
    atStart ??= left;
    atString = isString ? (atString ?? left) : null;
    const most = atString ?? atStart;
    const added = MOST * ((2 * (most - left)) / most - 1);
    if (ends.length === 0 || !(added > 0)) return logits;
    const leaning = logits.slice();
    for (const id of ends) leaning[id]! += added;
    return leaning;
  };
}
