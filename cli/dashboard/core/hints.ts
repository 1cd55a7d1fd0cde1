// The line of hints, from the table of bindings: what this view offers, as far as it fits, and at the end what is always
// offered.
import { clickable, fitLine, type Line, lineWidth, quiet, type Span, span, spread } from '../drawing/line.js';
import type { Glyphs } from '../terminal/glyphs.js';
import { type Bound, bindingsIn, type CommandName, type Scope } from './bindings.js';
import { keysLabel } from './key-names.js';

interface HintOptions {
  readonly width: number;
  readonly glyphs: Glyphs;
  /** Whether a command has an effect now. */
  offers(command: CommandName): boolean;
}

/** Columns between the hints of the view and the pinned ones. */
const APART = 3;
/** Between two hints. */
const GAP = '  ';

export function hintLine(scopes: readonly Scope[], { width, glyphs, offers }: HintOptions): Line {
  const hinted = bindingsIn(scopes).filter(({ hint, command }) => hint !== undefined && offers(command));
  const pinned = hinted.filter(({ isPinned }) => isPinned).map(binding => toHint(binding, glyphs));
  const right = joinHints(pinned);
  let room = width - lineWidth(right) - 2 - APART;
  const left: Line[] = [];
  for (const binding of hinted.filter(({ isPinned }) => !isPinned)) {
    const hint = toHint(binding, glyphs);
    const needed = lineWidth(hint) + (left.length > 0 ? GAP.length : 0);
    if (needed > room) continue;
    room -= needed;
    left.push(hint);
  }
  return fitLine(spread([span(' '), ...joinHints(left)], [...right, span(' ')], width), width);
}

/** A hint that names one key can be clicked. */
function toHint({ keys, hintKeys, hint, command }: Bound, glyphs: Glyphs): Line {
  const label = keysLabel(hintKeys ?? keys.slice(0, 1), glyphs);
  const words = [span(label, { bold: true }), span(` ${hint}`, quiet)];
  return hintKeys ? words : clickable(words, command);
}

function joinHints(hints: readonly Line[]): Span[] {
  return hints.flatMap((hint, index) => (index === 0 ? [...hint] : [span(GAP), ...hint]));
}
