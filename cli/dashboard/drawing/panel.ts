// A box with a title in its top edge, of exactly the given size.
import type { Canvas, Size } from './canvas.js';
import { cutLine, fitHeight, fitLine, type Line, lineWidth, type Style, span } from './line.js';

interface PanelOptions extends Canvas {
  readonly title: string;
  /** Shown at the right of the top edge. */
  readonly aside?: Line;
  readonly edge?: Style;
}

/** The size of a panel's content. */
export function insidePanel({ width, height }: Size): Size {
  return { width: Math.max(0, width - 4), height: Math.max(0, height - 2) };
}

export function panel(content: readonly Line[], options: PanelOptions): Line[] {
  const { width, height, glyphs, edge = { dim: true } } = options;
  if (height < 2 || width < 4) return [];
  const inside = insidePanel(options);
  const wall = span(glyphs.vertical, edge);
  const rows = fitHeight(content, inside.height).map(row => [
    wall,
    span(' '),
    ...fitLine(row, inside.width),
    span(' '),
    wall,
  ]);
  const bottom = `${glyphs.bottomLeft}${glyphs.horizontal.repeat(width - 2)}${glyphs.bottomRight}`;
  return [upperEdge(options, edge), ...rows, [span(bottom, edge)]];
}

function upperEdge({ title, aside = [], width, glyphs }: PanelOptions, edge: Style): Line {
  const name = cutLine([span(title, { bold: true })], width - 6);
  const asideRoom = width - lineWidth(name) - 9;
  const shown = aside.length > 0 && lineWidth(aside) <= asideRoom ? aside : [];
  const end = shown.length > 0 ? lineWidth(shown) + 3 : 0;
  const rule = glyphs.horizontal.repeat(Math.max(0, width - lineWidth(name) - 5 - end));
  return [
    span(`${glyphs.topLeft}${glyphs.horizontal} `, edge),
    ...name,
    span(` ${rule}`, edge),
    ...(shown.length > 0 ? [span(' '), ...shown, span(` ${glyphs.horizontal}`, edge)] : []),
    span(glyphs.topRight, edge),
  ];
}
